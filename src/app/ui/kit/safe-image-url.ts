/**
 * The address of somebody's picture as it may be loaded, or `null`: https alone, and http where the server itself is reached by it,
 * since no page that came safely shows what did not. A relative address is relative to the server that gave it, and stays there:
 * `//elsewhere` and the like do not (B74).
 */
export function safeImageUrl(url: string, serverUrl: string): string | null {
  if (url === '') return null;
  if (!URL.canParse(url, serverUrl)) return null;
  const server = new URL(serverUrl);
  const { protocol, origin, href } = new URL(url, server);
  if (protocol !== 'https:' && !(protocol === 'http:' && server.protocol === 'http:')) return null;
  return /^https?:\/\//i.test(url) || origin === server.origin ? href : null;
}
