/**
 * Computes the share of the energy of a window at one frequency: 1 for a pure tone of that frequency, near 0 for
 * anything else. It uses the recurrence of Goertzel, which computes one bin of a Fourier transform.
 */
export function goertzelShare(samples: ArrayLike<number>, sampleRate: number, frequency: number): number {
  const coefficient = 2 * Math.cos((2 * Math.PI * frequency) / sampleRate);
  let previous = 0;
  let beforePrevious = 0;
  let energy = 0;
  for (let index = 0; index < samples.length; index += 1) {
    const sample = samples[index] as number;
    energy += sample * sample;
    const current = sample + coefficient * previous - beforePrevious;
    beforePrevious = previous;
    previous = current;
  }
  if (energy === 0) return 0;
  const power = previous * previous + beforePrevious * beforePrevious - coefficient * previous * beforePrevious;
  return Math.min(1, Math.max(0, (2 * power) / (samples.length * energy)));
}
