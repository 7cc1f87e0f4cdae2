/**
 * Returns a digest of a text as a number, which takes less memory than a text: 53 bits of a hash. Two different texts
 * have different digests, except by accident. An attacker can find two texts with one digest. It compares requests of one device, and
 * descriptions of one leg: such an attacker spoils only requests and calls of their own device. The hash is two streams of 32 bits, each by FNV-1a with a finish
 * of MurmurHash3.
 */
export function digestOf(text: string): number {
  let one = 0x811c9dc5;
  let other = 0x9e3779b9;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    one = Math.imul(one ^ code, 0x01000193);
    other = Math.imul(other ^ code, 0x85ebca6b);
  }
  return finished(one) * 2 ** 21 + (finished(other) >>> 11);
}

function finished(hash: number): number {
  const mixed = Math.imul(hash ^ (hash >>> 16), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 13)) >>> 0;
}
