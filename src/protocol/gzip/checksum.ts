const OF_A_BYTE = Int32Array.from({ length: 256 }, (_, byte) => {
  let sum = byte;
  for (let bit = 0; bit < 8; bit += 1) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0);
  return sum;
});

/** Returns the CRC-32 of bytes (RFC 1952 §8), as a number of 32 bits without a sign. */
export function crc32(bytes: Uint8Array): number {
  let sum = -1;
  for (let at = 0; at < bytes.length; at += 1) {
    sum = (sum >>> 8) ^ (OF_A_BYTE[(sum ^ (bytes[at] ?? 0)) & 255] ?? 0);
  }
  return ~sum >>> 0;
}

/** Returns the Adler-32 of bytes (RFC 1950 §8.2), as a number of 32 bits without a sign. */
export function adler32(bytes: Uint8Array): number {
  let [low, high] = [1, 0];
  for (const byte of bytes) {
    low = (low + byte) % 65_521;
    high = (high + low) % 65_521;
  }
  return ((high << 16) | low) >>> 0;
}
