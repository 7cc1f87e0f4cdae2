/**
 * Returns the address of a user's picture if it may be loaded, else null. Only https is allowed, and http for a server
 * that is itself reached by http. Browsers block http pictures on https pages. A relative address belongs to the server
 * and must stay on it: `//elsewhere` does not (B74).
 */
export function safeImageUrl(url: string, serverUrl: string): string | null {
  if (url === '') return null;
  if (!URL.canParse(url, serverUrl)) return null;
  const server = new URL(serverUrl);
  const { protocol, origin, href } = new URL(url, server);
  if (protocol !== 'https:' && !(protocol === 'http:' && server.protocol === 'http:')) return null;
  return /^https?:\/\//i.test(url) || origin === server.origin ? href : null;
}
