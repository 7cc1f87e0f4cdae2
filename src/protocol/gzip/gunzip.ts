import { CallError, ErrorCode } from '../errors.ts';
import { adler32, crc32 } from './checksum.ts';
import { huffmanCode, type HuffmanCode } from './huffman-code.ts';

/** The order of the lengths of the codes for lengths (RFC 1951 §3.2.7). */
const ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];
const END_OF_BLOCK = 256;
const LONGEST_CODE = 15;
const LITERALS = 288;
const DISTANCES = 30;

/** The flags of a gzip header (RFC 1952 §2.3.1). */
const FLAG = { checksum: 2, extra: 4, name: 8, comment: 16, reserved: 0xe0 } as const;

const fault = (message: string) => new CallError(ErrorCode.ERR_MALFORMED_DATA, { message });

/** The codes of a block. */
interface Codes {
  readonly literals: HuffmanCode;
  readonly distances: HuffmanCode;
}

/** Returns the codes of a block with the fixed code (RFC 1951 §3.2.6). */
function fixedCodes(): Codes {
  const lengths = new Uint8Array(LITERALS).fill(8).fill(9, 144, 256).fill(7, 256, 280);
  return { literals: huffmanCode(lengths), distances: huffmanCode(new Uint8Array(DISTANCES).fill(5)) };
}

/**
 * Inflates gzip (RFC 1952), and deflate with a header of zlib (RFC 1950). Bytes after the end are ignored.
 *
 * @param room - the most bytes of the output. A few hundred kilobytes cannot become a few hundred megabytes.
 * @throws CallError `ERR_MALFORMED_DATA` with the words of zlib for a fault of the bytes. Also when their end is missing,
 *   or the output needs more room.
 */
export function gunzip(bytes: Uint8Array, room: number): Uint8Array {
  const out = new Uint8Array(room);
  let at = 0;
  let size = 0;
  let held = 0;
  let bits = 0;

  const byte = (): number => {
    const next = bytes[at];
    if (next === undefined) throw fault('the compressed sdp is cut short');
    at += 1;
    return next;
  };
  const word = () => byte() | (byte() << 8);
  const number = (count: number): number => {
    for (; bits < count; bits += 8) held |= byte() << bits;
    const value = held & ((1 << count) - 1);
    held >>>= count;
    bits -= count;
    return value;
  };
  /** Goes to the next whole byte. */
  const align = () => {
    at -= bits >> 3;
    held = 0;
    bits = 0;
  };
  /** Reads a symbol. Null when no symbol has the code. */
  const symbolOf = (table: Uint16Array): number | null => {
    // Most symbols are read without a call.
    for (; bits < LONGEST_CODE && at < bytes.length; bits += 8) {
      held |= (bytes[at] ?? 0) << bits;
      at += 1;
    }
    const entry = table[held & (table.length - 1)] ?? 0;
    const length = entry & 15;
    if (length > bits || bits === 0) throw fault('the compressed sdp is cut short');
    if (length === 0) return null;
    held >>>= length;
    bits -= length;
    return entry >> 4;
  };
  const grow = (length: number) => {
    if (size + length > room) throw fault('the sdp inflates past its bound');
    size += length;
  };

  const copyStored = () => {
    align();
    const length = word();
    if ((word() ^ length) !== 0xffff) throw fault('invalid stored block lengths');
    const stored = bytes.subarray(at, at + length);
    grow(stored.length);
    out.set(stored, size - stored.length);
    at += stored.length;
    if (stored.length < length) throw fault('the compressed sdp is cut short');
  };

  const dynamicCodes = (): Codes => {
    const literals = number(5) + 257;
    const distances = number(5) + 1;
    const given = number(4) + 4;
    if (literals > 286 || distances > DISTANCES) throw fault('too many length or distance symbols');
    const ofLengths = new Uint8Array(ORDER.length);
    for (const symbol of ORDER.slice(0, given)) ofLengths[symbol] = number(3);
    const code = huffmanCode(ofLengths);
    if (code.is !== 'complete') throw fault('invalid code lengths set');
    const lengths = new Uint8Array(literals + distances);
    for (let have = 0; have < lengths.length;) {
      const symbol = symbolOf(code.table) ?? 0;
      if (symbol < 16) {
        lengths[have] = symbol;
        have += 1;
        continue;
      }
      const former = symbol === 16 ? lengths[have - 1] : 0;
      const end = have + (symbol === 16 ? 3 + number(2) : symbol === 17 ? 3 + number(3) : 11 + number(7));
      if (former === undefined || end > lengths.length) throw fault('invalid bit length repeat');
      lengths.fill(former, have, end);
      have = end;
    }
    if (lengths[END_OF_BLOCK] === 0) throw fault('invalid code -- missing end-of-block');
    const codes = {
      literals: huffmanCode(lengths.subarray(0, literals)),
      distances: huffmanCode(lengths.subarray(literals)),
    };
    if (['over', 'open'].includes(codes.literals.is)) throw fault('invalid literal/lengths set');
    if (['over', 'open'].includes(codes.distances.is)) throw fault('invalid distances set');
    return codes;
  };

  const copyMatch = (symbol: number, distances: Uint16Array) => {
    // Each four codes of a length, and each two of a distance, have one more extra bit than those before.
    const rest = symbol - 257;
    if (rest > 28) throw fault('invalid literal/length code');
    const extra = rest < 8 || rest === 28 ? 0 : (rest >> 2) - 1;
    const base = rest < 8 ? rest : rest === 28 ? 255 : (4 + (rest & 3)) << extra;
    const length = 3 + base + number(extra);
    const code = symbolOf(distances);
    if (code === null) throw fault('invalid distance code');
    const farther = code < 4 ? 0 : (code >> 1) - 1;
    const distance = 1 + (code < 4 ? code : (2 + (code & 1)) << farther) + number(farther);
    if (distance > size) throw fault('invalid distance too far back');
    const from = size - distance;
    const to = size;
    grow(length);
    // A match that overlaps its copy repeats its first bytes.
    for (let copied = 0; copied < length; copied += distance)
      out.copyWithin(to + copied, from, from + Math.min(distance, length - copied));
  };

  const copyBlock = ({ literals: { table: literals }, distances: { table: distances } }: Codes) => {
    for (;;) {
      const symbol = symbolOf(literals);
      if (symbol === null) throw fault('invalid literal/length code');
      if (symbol === END_OF_BLOCK) return;
      if (symbol > END_OF_BLOCK) copyMatch(symbol, distances);
      else {
        grow(1);
        out[size - 1] = symbol;
      }
    }
  };

  const inflate = () => {
    for (let isLast = 0; isLast === 0;) {
      isLast = number(1);
      const type = number(2);
      if (type === 0) copyStored();
      else if (type === 1) copyBlock(fixedCodes());
      else if (type === 2) copyBlock(dynamicCodes());
      else throw fault('invalid block type');
    }
    align();
    return out.subarray(0, size);
  };

  const skipText = () => {
    while (byte() !== 0);
  };

  const readGzip = () => {
    if (byte() !== 8) throw fault('unknown compression method');
    const flags = byte();
    if (flags & FLAG.reserved) throw fault('unknown header flags set');
    for (let left = 6; left > 0; left -= 1) byte();
    if (flags & FLAG.extra) for (let left = word(); left > 0; left -= 1) byte();
    if (flags & FLAG.name) skipText();
    if (flags & FLAG.comment) skipText();
    const header = bytes.subarray(0, at);
    if (flags & FLAG.checksum && word() !== (crc32(header) & 0xffff)) throw fault('header crc mismatch');
    const inflated = inflate();
    if ((word() | (word() << 16)) >>> 0 !== crc32(inflated)) throw fault('incorrect data check');
    if ((word() | (word() << 16)) >>> 0 !== size) throw fault('incorrect length check');
    return inflated;
  };

  const readZlib = (first: number, second: number) => {
    if ((first * 256 + second) % 31 !== 0) throw fault('incorrect header check');
    if ((first & 15) !== 8) throw fault('unknown compression method');
    if (first >> 4 > 7) throw fault('invalid window size');
    if (second & 32) throw fault('Missing dictionary');
    const inflated = inflate();
    const sum = ((byte() << 24) | (byte() << 16) | (byte() << 8) | byte()) >>> 0;
    if (sum !== adler32(inflated)) throw fault('incorrect data check');
    return inflated;
  };

  const first = byte();
  const second = byte();
  return first === 0x1f && second === 0x8b ? readGzip() : readZlib(first, second);
}
