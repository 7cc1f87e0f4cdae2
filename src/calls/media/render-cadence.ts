import type { Cadence } from './cadences.ts';
import { periodOf } from './cadences.ts';

/** The fade of each tone, milliseconds. Without it every edge clicks. */
const EDGE_MS = 8;

/** Returns one period of a cadence as samples from -1 to 1, to be played once or in a loop. */
export function renderCadence(cadence: Cadence, sampleRate: number): Float32Array<ArrayBuffer> {
  const at = (ms: number) => Math.round((ms / 1000) * sampleRate);
  const samples = new Float32Array(at(periodOf(cadence)));
  const edge = at(EDGE_MS);
  let startMs = 0;
  for (const { tones, length } of cadence.steps) {
    const start = at(startMs);
    const count = at(startMs + length) - start;
    if (tones.length > 0) {
      for (let n = 0; n < count; n += 1) {
        const swell = Math.min(1, n / edge, (count - 1 - n) / edge);
        const wave = tones.reduce((sum, hz) => sum + Math.sin((2 * Math.PI * hz * n) / sampleRate), 0);
        samples[start + n] = (cadence.level * swell * wave) / tones.length;
      }
    }
    startMs += length;
  }
  return samples;
}
