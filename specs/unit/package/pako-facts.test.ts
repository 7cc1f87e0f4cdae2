import { constants, crc32, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import * as source from '../../../src/protocol/sdp-codec.ts';
import { minified } from '../../../tools/package/weigh.ts';
import { withFacts } from '../../../tools/package/facts.ts';
import { PAKO_FACTS } from '../../../tools/package/pako-facts.ts';

type Codec = Pick<typeof source, 'packSdp' | 'unpackSdp'>;

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');
const LINE = 'a=candidate:1 1 udp 2122260223 192.0.2.1 50000 typ host\r\n';

/** A gzip whose header has every field: a checksum, extra bytes, a name and a comment. */
function withFullHeader(text: string, spoilt: number): Buffer {
  const fields = Buffer.concat([
    Buffer.from([0x1f, 0x8b, 8, 0x1e, 1, 2, 3, 4, 0, 3, 5, 0]),
    Buffer.from('extraname.sdp\0a comment\0'),
  ]);
  const checksum = Buffer.alloc(2);
  checksum.writeUInt16LE((crc32(fields) & 0xffff) ^ spoilt);
  return Buffer.concat([fields, checksum, deflateRawSync(text), gzipSync(text).subarray(-8)]);
}

/** Returns what a codec makes of a text: the unpacked text, or the message of its error. */
function outcome({ unpackSdp }: Codec, packed: string): string {
  try {
    return `text ${unpackSdp(packed)}`;
  } catch (error) {
    return error instanceof Error ? error.message : 'no error';
  }
}

describe('the codec of the built library', () => {
  let built: Codec;
  beforeAll(async () => {
    const [chunk] = await minified('src/protocol/sdp-codec.ts', { split: false });
    built = (await import(/* @vite-ignore */ `data:text/javascript;base64,${btoa(chunk?.code ?? '')}`)) as Codec;
  }, 120_000);

  const texts = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 2_000 }),
    fc.array(fc.constantFrom(LINE, 'a=mid:0\r\n', 'x', '會議'), { maxLength: 400 }).map((lines) => lines.join('')),
  );
  // Descriptions beyond the window of deflate, with matches near and far, and with none.
  const long = Array.from({ length: 9_000 }, (_, at) => `${(at * 2_654_435_761) % 1_000_003}\n`).join('');

  it('I24 PAY-06 packs every text to the same bytes as the code before the build', () => {
    for (const text of ['', 'v', LINE.repeat(3_000), long, long + LINE + long])
      expect(built.packSdp(text)).toBe(source.packSdp(text));
    fc.assert(fc.property(texts, (text) => built.packSdp(text) === source.packSdp(text)));
  });

  it('I24 PAY-06 unpacks each kind of stream to the same text', () => {
    const { Z_FIXED, Z_HUFFMAN_ONLY } = constants;
    const streams = [
      ...[0, 1, 6, 9].map((level) => gzipSync(long.slice(0, 20_000), { level })),
      gzipSync(LINE.repeat(4_000)),
      gzipSync(LINE.repeat(900), { strategy: Z_FIXED }),
      gzipSync(LINE.repeat(300), { strategy: Z_HUFFMAN_ONLY }),
      deflateSync(LINE.repeat(9)),
      withFullHeader(LINE.repeat(9), 0),
    ];
    for (const packed of streams.map(base64)) {
      expect(outcome(source, packed)).toContain('text ');
      expect(outcome(built, packed) === outcome(source, packed)).toBe(true);
    }
  });

  it('PAY-19 S18 refuses a spoilt stream with the same message', () => {
    const dictionary = Buffer.from(LINE);
    const others = [
      withFullHeader(LINE, 1),
      deflateSync(LINE, { dictionary }),
      gzipSync(Buffer.alloc(300_000)),
      // A distance that reaches before the first byte.
      Buffer.concat([gzipSync('').subarray(0, 10), deflateRawSync(LINE, { dictionary }), Buffer.alloc(8)]),
    ];
    for (const packed of others.map(base64)) {
      expect(outcome(source, packed)).not.toContain('text ');
      expect(outcome(built, packed)).toBe(outcome(source, packed));
    }
    const bytes = [gzipSync(LINE.repeat(40)), deflateSync(LINE), withFullHeader(LINE, 0), gzipSync(LINE, { level: 0 })];
    const messages = new Set<string>();
    const spoilt = fc.tuple(fc.constantFrom(...bytes), fc.nat(), fc.nat(255), fc.option(fc.nat()));
    fc.assert(
      fc.property(spoilt, ([whole, at, byte, end]) => {
        const changed = Buffer.from(whole);
        changed[at % changed.length] = byte;
        const packed = base64(changed.subarray(0, end === null ? undefined : end % (changed.length + 1)));
        const expected = outcome(source, packed);
        messages.add(expected);
        return outcome(built, packed) === expected;
      }),
      { numRuns: 2_000 },
    );
    expect(messages.size).toBeGreaterThan(8);
  });

  it('fails to build with another version of pako, whose facts nothing has checked', () => {
    expect(() => withFacts('var deflate = () => {};', PAKO_FACTS)).toThrow(
      /^the package has .* 0 times, not \d+: check its facts/,
    );
  });
});
