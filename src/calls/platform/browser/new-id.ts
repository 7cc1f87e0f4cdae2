/**
 * Returns a random identifier (RFC 9562, version 4). It is made from random bytes on a page that is served by IP address
 * without https, where `crypto.randomUUID` is missing (§5).
 */
export function newId(): string {
  // Much faster: a call makes a dozen of them while it connects.
  if (typeof crypto.randomUUID === 'function') return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const hex = Array.from(bytes, (byte, at) => {
    const marked = at === 6 ? (byte & 0x0f) | 0x40 : at === 8 ? (byte & 0x3f) | 0x80 : byte;
    return marked.toString(16).padStart(2, '0');
  }).join('');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
