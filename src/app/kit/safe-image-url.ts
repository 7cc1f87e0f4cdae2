/**
 * The address of somebody's picture as it may be loaded, or `null`: only http and https, whatever the server says.
 * A relative address is relative to the server that gave it.
 */
export function safeImageUrl(url: string, serverUrl: string): string | null {
  if (url === '') return null;
  if (!URL.canParse(url, serverUrl)) return null;
  const { protocol, href } = new URL(url, serverUrl);
  return protocol === 'https:' || protocol === 'http:' ? href : null;
}
