/** The codec PCMU (ITU-T G.711, µ-law): a byte for each sample of 8 kHz. Every WebRTC endpoint has it (RFC 7874 §3). */

const BIAS = 0x84;
const CLIP = 32_635;

/** Returns the byte of a 16-bit sample. */
function encode(sample: number): number {
  const sign = sample < 0 ? 0x80 : 0;
  const magnitude = Math.min(CLIP, Math.abs(sample)) + BIAS;
  const exponent = Math.max(0, 24 - Math.clz32(magnitude));
  const mantissa = (magnitude >> (exponent + 3)) & 0x0f;
  return ~(sign | (exponent << 4) | mantissa) & 0xff;
}

/** Returns the 16-bit sample of a byte. */
function decode(byte: number): number {
  const inverted = ~byte & 0xff;
  const exponent = (inverted >> 4) & 0x07;
  const magnitude = ((((inverted & 0x0f) << 3) + BIAS) << exponent) - BIAS;
  return (inverted & 0x80) === 0 ? magnitude : -magnitude;
}

export const toUlaw = (samples: Int16Array): Buffer => Buffer.from(Array.from(samples, encode));

export const fromUlaw = (bytes: Uint8Array): Int16Array => Int16Array.from(bytes, decode);
