import { gzipSync, inflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LIMITS } from '../../../src/protocol/limits.ts';
import { packSdp, unpackSdp } from '../../../src/protocol/sdp-codec.ts';
import { nodeUnpackSdp } from '../../../sim/server/node-sdp.ts';
import { countInflated } from './count-inflated.ts';
import { ErrorCode } from '../../../src/protocol/errors.ts';

const SDP = 'v=0\r\no=- 1 2 IN IP4 127.0.0.1\r\ns=-\r\nt=0 0\r\n'.repeat(40);
const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');
const malformed = (message: string | RegExp) =>
  expect.objectContaining({
    code: ErrorCode.ERR_MALFORMED_DATA,
    message: typeof message === 'string' ? message : expect.stringMatching(message),
  });

/** A gzip with some of its bytes changed. */
function damaged(change: (bytes: Buffer) => Buffer | void): string {
  const bytes = gzipSync(SDP);
  return base64(change(bytes) ?? bytes);
}

const CODECS = [
  ['the library', unpackSdp],
  ['the server', nodeUnpackSdp],
] as const;

describe.each(CODECS)('an sdp on the wire, read by %s', (_reader, unpack) => {
  it('PAY-06 is gzip in base64, both ways, and other gzip implementations read and write it', () => {
    const packed = packSdp(SDP);
    const bytes = Buffer.from(packed, 'base64');
    expect(inflateRawSync(bytes.subarray(10, -8)).toString()).toBe(SDP);
    expect(unpack(base64(gzipSync(SDP, { level: 9 })))).toBe(SDP);
    expect(packed.length).toBeLessThan(SDP.length / 4);
  });

  it('I24 PAY-06 is the same after packing and unpacking, for any text', () => {
    fc.assert(fc.property(fc.string({ unit: 'grapheme', maxLength: 3_000 }), (text) => unpack(packSdp(text)) === text));
    expect(unpack(packSdp('會議 🎥\r\n'))).toBe('會議 🎥\r\n');
    expect(unpack(packSdp(''))).toBe('');
  });

  it.each([
    ['no gzip', () => base64(Buffer.from('v=0 in the clear')), 'incorrect header check'],
    ['a bad block', () => damaged((bytes) => void bytes.writeUInt8(0x07, 10)), 'invalid block type'],
    [
      'a wrong checksum',
      () => damaged((bytes) => void bytes.writeUInt8((bytes.at(-5) ?? 0) ^ 1, bytes.length - 5)),
      'incorrect data check',
    ],
    ['half of it', () => damaged((bytes) => bytes.subarray(0, bytes.length / 2)), 'the compressed sdp is cut short'],
    ['no checksum', () => damaged((bytes) => bytes.subarray(0, -8)), 'the compressed sdp is cut short'],
    ['nothing', () => '', 'the compressed sdp is cut short'],
    ['no base64', () => 'v=0\r\n!', 'the sdp is not base64'],
    ['a character too much', () => `${base64(gzipSync('a'))}A`, 'the sdp is not base64'],
    ['padding too much', () => `${base64(gzipSync('abc'))}=`, 'the sdp is not base64'],
    ['no UTF-8', () => base64(gzipSync(Buffer.from([0xff, 0xfe, 0x80]))), 'the sdp is not UTF-8'],
  ])('PAY-19 B42 %s is refused with 1800208, with a message', (_, packed, message) => {
    expect(() => unpack(packed())).toThrow(malformed(message));
  });

  it('D25 is refused when it is too long before or after inflating', () => {
    expect(() => unpack('A'.repeat(LIMITS.compressedSdpChars + 1))).toThrow(
      malformed('the compressed sdp is too large'),
    );
    expect(unpack(packSdp('a'.repeat(LIMITS.sdpBytes)))).toHaveLength(LIMITS.sdpBytes);
    expect(() => unpack(packSdp('a'.repeat(LIMITS.sdpBytes + 1)))).toThrow(
      malformed('the sdp inflates past its bound'),
    );
  });

  it('S13 B42 is inflated only up to the limit when it is a bomb of any size', () => {
    const bomb = base64(gzipSync(Buffer.alloc(16 * 1024 * 1024)));
    expect(bomb.length).toBeLessThan(LIMITS.compressedSdpChars);
    using inflated = countInflated();
    expect(() => unpack(bomb)).toThrow(malformed('the sdp inflates past its bound'));
    expect(inflated.bytes()).toBe(LIMITS.sdpBytes);
  });

  it('I23 S18 is read as a text or refused with 1800208, for any text', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.base64String(),
          fc.uint8Array().map((bytes) => base64(Buffer.concat([gzipSync(SDP).subarray(0, 20), bytes]))),
        ),
        (text) => {
          try {
            return typeof unpack(text) === 'string';
          } catch (error) {
            return error instanceof Error && 'code' in error && error.code === ErrorCode.ERR_MALFORMED_DATA;
          }
        },
      ),
    );
  });
});
