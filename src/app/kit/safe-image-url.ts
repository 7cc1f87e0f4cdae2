/**
 * The address of somebody's picture as it may be loaded, or `null`: only http and https, whatever the server says.
 * A relative address is relative to the server that gave it, and stays there: `//elsewhere` and the like do not (B74).
 */
export function safeImageUrl(url: string, serverUrl: string): string | null {
  if (url === '') return null;
  if (!URL.canParse(url, serverUrl)) return null;
  const { protocol, origin, href } = new URL(url, serverUrl);
  if (protocol !== 'https:' && protocol !== 'http:') return null;
  return /^https?:\/\//i.test(url) || origin === new URL(serverUrl).origin ? href : null;
}
