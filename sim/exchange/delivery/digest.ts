/**
 * Returns a short digest of a text: its length and 64 bits of a hash. Two different texts have different digests,
 * except by accident. An attacker can find two texts with one digest. It compares requests of one device, and
 * descriptions of one leg: such an attacker spoils only requests and calls of their own device. The hash is two streams of 32 bits, each by FNV-1a with a finish
 * of MurmurHash3.
 */
export function digestOf(text: string): string {
  let one = 0x811c9dc5;
  let other = 0x9e3779b9;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    one = Math.imul(one ^ code, 0x01000193);
    other = Math.imul(other ^ code, 0x85ebca6b);
  }
  return [text.length, finished(one), finished(other)].map((part) => part.toString(36)).join('.');
}

function finished(hash: number): number {
  const mixed = Math.imul(hash ^ (hash >>> 16), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 13)) >>> 0;
}
