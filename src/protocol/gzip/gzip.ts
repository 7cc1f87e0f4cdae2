import { crc32 } from './checksum.ts';
import { reversed } from './huffman-code.ts';

/**
 * Compresses short texts to gzip (RFC 1952), in one block of deflate with the fixed code (RFC 1951 §3.2.6). It is small
 * and starts fast: a page packs one description in a call, with code that no engine has compiled yet. So its loop calls
 * no function for a byte.
 */

const HEADER = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255];
const END_OF_BLOCK = 256;
const SHORTEST = 3;
const LONGEST = 258;
const FARTHEST = 32_768;
/** The earlier places with the same hash that a match is looked for at. */
const PLACES = 16;
const HASHES = 4096;

/** The fixed code of literals and lengths: the code of each symbol, and its length in the last four bits. */
const FIXED = Uint16Array.from({ length: 288 }, (_, symbol) => {
  if (symbol < 144) return (reversed(0x30 + symbol, 8) << 4) | 8;
  if (symbol < 256) return (reversed(0x190 + symbol - 144, 9) << 4) | 9;
  if (symbol < 280) return (reversed(symbol - 256, 7) << 4) | 7;
  return (reversed(0xc0 + symbol - 280, 8) << 4) | 8;
});

/** Compresses bytes. */
export function gzip(bytes: Uint8Array): Uint8Array {
  const size = bytes.length;
  // A byte has at most 9 bits.
  const out = new Uint8Array(size + (size >> 3) + 32);
  out.set(HEADER);
  let at = HEADER.length;
  let held = 0;
  let bits = 0;

  const put = (value: number, count: number) => {
    held |= value << bits;
    for (bits += count; bits >= 8; bits -= 8) {
      out[at] = held;
      at += 1;
      held >>>= 8;
    }
  };
  const putSymbol = (symbol: number) => {
    const entry = FIXED[symbol] ?? 0;
    put(entry >> 4, entry & 15);
  };
  const putMatch = (length: number, distance: number) => {
    const longer = length - SHORTEST;
    const extra = longer < 8 || length === LONGEST ? 0 : 29 - Math.clz32(longer);
    putSymbol(length === LONGEST ? 285 : 257 + 4 * extra + (longer >> extra));
    put(longer & ((1 << extra) - 1), extra);
    const farther = distance - 1;
    const more = farther < 4 ? 0 : 30 - Math.clz32(farther);
    put(reversed(2 * more + (farther >> more), 5), 5);
    put(farther & ((1 << more) - 1), more);
  };

  // The last place of each hash of three bytes, and the one before each place. Each is one more, so that 0 is none.
  const last = new Int32Array(HASHES);
  const before = new Int32Array(size);
  let three = ((bytes[0] ?? 0) << 8) | (bytes[1] ?? 0);
  let matched = 0;
  put(0b011, 3);
  for (let place = 0; place < size; place += 1) {
    three = ((three << 8) | (bytes[place + 2] ?? 0)) & 0xff_ffff;
    const hash = ((three >> 12) ^ (three >> 5) ^ three) & (HASHES - 1);
    let candidate = last[hash] ?? 0;
    last[hash] = place + 1;
    before[place] = candidate;
    if (place < matched) continue;

    const most = Math.min(LONGEST, size - place);
    let length = SHORTEST - 1;
    let distance = 0;
    for (let tries = PLACES; candidate > 0 && tries > 0 && length < most; tries -= 1) {
      const from = candidate - 1;
      if (place - from > FARTHEST) break;
      // A longer match has this byte in common too.
      if (bytes[from + length] === bytes[place + length]) {
        let common = 0;
        while (common < most && bytes[from + common] === bytes[place + common]) common += 1;
        if (common > length) {
          length = common;
          distance = place - from;
        }
      }
      candidate = before[from] ?? 0;
    }
    if (distance > 0) {
      putMatch(length, distance);
      matched = place + length;
      continue;
    }
    const entry = FIXED[bytes[place] ?? 0] ?? 0;
    held |= (entry >> 4) << bits;
    for (bits += entry & 15; bits >= 8; bits -= 8) {
      out[at] = held;
      at += 1;
      held >>>= 8;
    }
  }
  putSymbol(END_OF_BLOCK);
  put(0, 7);

  const tail = new DataView(out.buffer, at, 8);
  tail.setUint32(0, crc32(bytes), true);
  tail.setUint32(4, size, true);
  return out.subarray(0, at + 8);
}
