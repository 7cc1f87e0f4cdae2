import { readFileSync } from 'node:fs';
import { constants, crc32, deflateRawSync, deflateSync, gunzipSync, gzipSync, unzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { gunzip } from '../../../src/protocol/gzip/gunzip.ts';
import { gzip } from '../../../src/protocol/gzip/gzip.ts';

const ROOM = 512 * 1024;
const LINE = 'a=candidate:1 1 udp 2122260223 192.0.2.1 50000 typ host\r\n';
const OFFER = readFileSync(new URL('../../../fixtures/wire/offer.sdp', import.meta.url), 'utf8');
/** A text beyond the window of deflate, with hardly a match. */
const LONG = Array.from({ length: 9_000 }, (_, at) => `${(at * 2_654_435_761) % 1_000_003}\n`).join('');

const texts = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 2_000 }),
  fc.array(fc.constantFrom(LINE, 'a=mid:0\r\n', 'x', '會議'), { maxLength: 400 }).map((lines) => lines.join('')),
);

/** A gzip whose header has every field: a checksum, extra bytes, a name and a comment. */
function withFullHeader(text: string, spoilt = 0): Buffer {
  const fields = Buffer.concat([
    Buffer.from([0x1f, 0x8b, 8, 0x1e, 1, 2, 3, 4, 0, 3, 5, 0]),
    Buffer.from('extraname.sdp\0a comment\0'),
  ]);
  const checksum = Buffer.alloc(2);
  checksum.writeUInt16LE((crc32(fields) & 0xffff) ^ spoilt);
  return Buffer.concat([fields, checksum, deflateRawSync(text), gzipSync(text).subarray(-8)]);
}

/** Returns what the inflater of the library makes of bytes: the text, or the message of its error. */
function inflated(bytes: Uint8Array): string {
  try {
    return `text ${Buffer.from(gunzip(bytes, ROOM)).toString('latin1')}`;
  } catch (error) {
    return error instanceof Error ? error.message : 'no error';
  }
}

/** Returns what zlib makes of the same bytes, in the words of the library. */
function byZlib(bytes: Uint8Array): string {
  try {
    return `text ${unzipSync(bytes, { maxOutputLength: ROOM }).toString('latin1')}`;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ERR_BUFFER_TOO_LARGE') return 'the sdp inflates past its bound';
    return code === 'Z_BUF_ERROR' ? 'the compressed sdp is cut short' : message;
  }
}

describe('gzip', () => {
  it('PAY-06 is read by zlib, for any text', () => {
    for (const text of ['', 'v', 'vv', LINE.repeat(3_000), LONG, LONG + LINE + LONG, OFFER])
      expect(gunzipSync(gzip(Buffer.from(text))).toString() === text).toBe(true);
    fc.assert(fc.property(texts, (text) => gunzipSync(gzip(Buffer.from(text))).toString() === text));
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 3_000 }), (bytes) => gunzipSync(gzip(bytes)).equals(Buffer.from(bytes))),
    );
  });

  it('PAY-06 has a match of each length and of distances up to the window', () => {
    for (let length = 1; length <= 600; length += 1) {
      const text = `${'ab'.repeat(300).slice(0, length)}-${LONG.slice(0, 97 * length)}`;
      expect(gunzipSync(gzip(Buffer.from(text + text))).toString() === text + text).toBe(true);
    }
  });

  it('PAY-06 packs a description to little more than zlib does', () => {
    const [packed, best] = [gzip(Buffer.from(OFFER)).length, gzipSync(OFFER, { level: 9 }).length];
    expect(packed).toBeLessThan(best * 1.25);
    expect(gzip(Buffer.from(LINE.repeat(100))).length).toBeLessThan(200);
  });

  it('PAY-06 inflates what zlib packs, by each of its strategies', () => {
    const { Z_DEFAULT_STRATEGY, Z_FILTERED, Z_FIXED, Z_HUFFMAN_ONLY, Z_RLE } = constants;
    for (const text of ['', 'v', OFFER, LINE.repeat(4_000), LONG])
      for (const level of [0, 1, 6, 9])
        for (const strategy of [Z_DEFAULT_STRATEGY, Z_FILTERED, Z_FIXED, Z_HUFFMAN_ONLY, Z_RLE])
          for (const pack of [gzipSync, deflateSync])
            expect(inflated(pack(text, { level, strategy })) === `text ${text}`).toBe(true);
    expect(inflated(withFullHeader(LINE))).toBe(`text ${LINE}`);
  });

  it('S13 writes no more bytes than the bound allows', () => {
    const bytes = gzipSync(Buffer.alloc(100_000));
    expect(gunzip(bytes, 100_000)).toHaveLength(100_000);
    for (const level of [0, 6])
      expect(() => gunzip(gzipSync(Buffer.alloc(100_000), { level }), 99_999)).toThrow(
        'the sdp inflates past its bound',
      );
  });

  it('PAY-19 S18 refuses a spoilt stream as zlib does, with the same words', () => {
    const dictionary = Buffer.from(LINE);
    const refused = [
      withFullHeader(LINE, 1),
      deflateSync(LINE, { dictionary }),
      gzipSync(Buffer.alloc(ROOM + 1)),
      // A distance that reaches before the first byte.
      Buffer.concat([gzipSync('').subarray(0, 10), deflateRawSync(LINE, { dictionary }), Buffer.alloc(8)]),
    ];
    for (const bytes of refused) {
      expect(inflated(bytes)).not.toContain('text ');
      expect(inflated(bytes)).toBe(byZlib(bytes));
    }
    const whole = [
      gzipSync(LINE.repeat(40)),
      gzipSync(OFFER),
      gzipSync(OFFER, { strategy: constants.Z_FIXED }),
      deflateSync(OFFER),
      withFullHeader(LINE),
      gzipSync(LINE, { level: 0 }),
      Buffer.from(gzip(Buffer.from(OFFER))),
    ];
    const messages = new Set<string>();
    // The first bytes of a block have its codes, where most kinds of faults are.
    const place = fc.oneof(fc.nat(90), fc.nat());
    const spoilt = fc.tuple(fc.constantFrom(...whole), place, fc.nat(255), fc.option(fc.nat(), { freq: 9 }));
    fc.assert(
      fc.property(spoilt, ([bytes, at, byte, end]) => {
        const changed = Buffer.from(bytes);
        changed[at % changed.length] = byte;
        const cut = changed.subarray(0, end === null ? undefined : changed.length - (end % 12));
        const expected = byZlib(cut);
        messages.add(expected.startsWith('text ') ? 'text' : expected);
        return inflated(cut) === expected;
      }),
      { numRuns: 4_000 },
    );
    expect(messages.size).toBeGreaterThan(8);
  });
});
