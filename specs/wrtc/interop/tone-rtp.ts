/** A tone as RTP packets of PCMU, one every 20 ms (RFC 3550, RFC 3551). */
import { randomInt } from 'node:crypto';
import { toUlaw } from './g711.ts';

export const PCMU = 0;
const RATE = 8_000;
const PACKET_MS = 20;
const SAMPLES = (RATE * PACKET_MS) / 1_000;
const VOLUME = 12_000;
const HEADER_BYTES = 12;
const VERSION = 0x80;

/** Sends packets of a tone until it is stopped. Returns the function that stops it. */
export function sendTone(frequency: number, ssrc: number, send: (packet: Buffer) => void): () => void {
  let [sequence, timestamp, sent] = [randomInt(0x8000), randomInt(0x8000_0000), 0];
  const began = performance.now();
  const timer = setInterval(() => {
    // A late timer sends what is due, so that the sound has no gap.
    for (const due = (performance.now() - began) / PACKET_MS; sent < due; sent += 1) {
      const samples = Int16Array.from({ length: SAMPLES }, (_, at) =>
        Math.round(VOLUME * Math.sin((2 * Math.PI * frequency * (sent * SAMPLES + at)) / RATE)),
      );
      const header = Buffer.alloc(HEADER_BYTES);
      header.writeUInt8(VERSION, 0);
      header.writeUInt8(PCMU, 1);
      header.writeUInt16BE(sequence & 0xffff, 2);
      header.writeUInt32BE(timestamp >>> 0, 4);
      header.writeUInt32BE(ssrc, 8);
      send(Buffer.concat([header, toUlaw(samples)]));
      sequence += 1;
      timestamp += SAMPLES;
    }
  }, PACKET_MS);
  return () => clearInterval(timer);
}
