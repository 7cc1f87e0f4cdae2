/**
 * Measures the tone in received audio: its frequency, and its share of the sound.
 *
 * Audio is cut into windows of 200 ms and decimated to about 8 kHz. The tones in use are far below 4 kHz, and a call
 * must stay cheap, because a laptop runs eight of them. Each window is tested for the last frequency first. The band is
 * scanned only when that frequency does not carry the window.
 */
/** Length of one window, milliseconds. With 200 ms a bin is 5 Hz wide. */
export const TONE_WINDOW_MS = 200;

/** A window belongs to a tone when the tone has more than this share of its energy. */
const TONE_SHARE = 0.5;

/** A tone counts as received when it carries at least this share of the windows: a starved sender loses a few. */
export const TONE_WINDOWS_SHARE = 0.8;

const WORKING_RATE = 8_000;
const SCAN_FROM = 80;
const SCAN_TO = 3_400;
const SCAN_STEP = 5;
/** Root mean square below which a window is silence, in 16-bit steps (about -60 dB). */
export const SILENCE_RMS = 33;
/** Windows whose frequencies differ by no more than this heard the same tone. */
export const SAME_TONE_HZ = 6;
/** The root mean square of a square wave at full scale, in 16-bit steps. */
const FULL_SCALE = 32_768;

/** The reading of a meter so far. */
export interface ToneReading {
  /** The frequency that carried most windows, hertz. Null without sound. */
  readonly frequency: number | null;
  /** The mean energy share at that frequency over the windows it carried, 0 to 1. */
  readonly share: number;
  /** The number of windows measured, from the first one with sound. */
  readonly windows: number;
  /** The number of windows in which that frequency had more than half of the energy. */
  readonly carried: number;
  /** The number of measured windows without sound. */
  readonly silent: number;
  /** The verdict: true when the tone carried at least 80 % of the windows. */
  readonly ok: boolean;
}

/** A window with sound. */
export interface SoundWindow {
  /** The frequency that carries the window, hertz. Null when none has more than half of the energy. */
  readonly frequency: number | null;
  /** The energy share of the strongest frequency, 0 to 1. */
  readonly share: number;
  /** The mean square of the samples, 1 at full scale. */
  readonly power: number;
}

export interface ToneMeter {
  /** Adds received samples. With several channels, only the first one counts. */
  add(samples: Int16Array, sampleRate: number, channels?: number): void;
  reading(): ToneReading;
}

interface Tally {
  readonly frequency: number;
  windows: number;
  shares: number;
}

/**
 * Creates a meter that tests `expected` first, when the tone of the other side is known. It calls `closed` with each
 * window,
 * and with null for a silent one.
 */
export function createToneMeter(
  expected?: number,
  closed: (window: SoundWindow | null) => void = () => undefined,
): ToneMeter {
  const tallies: Tally[] = [];
  let current = expected;
  let windows = 0;
  let silent = 0;

  const judge = (window: Float64Array, sampleRate: number) => {
    const heard = listen(window, sampleRate, current);
    closed(heard && { ...heard, frequency: heard.share > TONE_SHARE ? heard.frequency : null });
    if (heard === null) {
      // Silence before the first sound of the other side is not judged. Later silence counts against it.
      if (windows > 0) {
        windows += 1;
        silent += 1;
      }
      return;
    }
    windows += 1;
    if (heard.share <= TONE_SHARE) return;
    current = heard.frequency;
    count(tallies, heard);
  };

  return {
    add: windowCutter(judge),
    reading() {
      const best = tallies.reduce<Tally | null>((top, one) => (top && top.windows >= one.windows ? top : one), null);
      if (!best) return { frequency: null, share: 0, windows, carried: 0, silent, ok: false };
      return {
        frequency: best.frequency,
        share: best.shares / best.windows,
        windows,
        carried: best.windows,
        silent,
        ok: best.windows >= TONE_WINDOWS_SHARE * windows,
      };
    },
  };
}

/** Adds a window to the tally of its tone. */
function count(tallies: Tally[], { frequency, share }: { readonly frequency: number; readonly share: number }): void {
  const tally = tallies.find((one) => Math.abs(one.frequency - frequency) <= SAME_TONE_HZ);
  if (tally) {
    tally.windows += 1;
    tally.shares += share;
  } else {
    tallies.push({ frequency, windows: 1, shares: share });
  }
}

/**
 * Returns a function that decimates samples and cuts them into windows. It calls `full` with each window and the
 * sample rate of the window. Windows share one buffer.
 */
export function windowCutter(full: (window: Float64Array, sampleRate: number) => void): ToneMeter['add'] {
  let window = new Float64Array(0);
  let filled = 0;
  let rate = 0;
  let thinning = 1;
  let pendingSum = 0;
  let pendingCount = 0;

  const restart = (sampleRate: number) => {
    rate = sampleRate;
    thinning = Math.max(1, Math.round(sampleRate / WORKING_RATE));
    window = new Float64Array(Math.round(((sampleRate / thinning) * TONE_WINDOW_MS) / 1000));
    filled = 0;
    pendingSum = 0;
    pendingCount = 0;
  };

  return (samples, sampleRate, channels = 1) => {
    if (sampleRate !== rate) restart(sampleRate);
    for (let index = 0; index < samples.length; index += channels) {
      pendingSum += samples[index] as number;
      pendingCount += 1;
      if (pendingCount < thinning) continue;
      window[filled] = pendingSum / thinning;
      filled += 1;
      pendingSum = 0;
      pendingCount = 0;
      if (filled < window.length) continue;
      filled = 0;
      full(window, rate / thinning);
    }
  };
}

/** Returns the strongest frequency of a window, its share and the power of the window. Null for silence. */
function listen(
  window: Float64Array,
  sampleRate: number,
  guess: number | undefined,
): { frequency: number; share: number; power: number } | null {
  let energy = 0;
  for (const sample of window) energy += sample * sample;
  if (Math.sqrt(energy / window.length) < SILENCE_RMS) return null;
  const power = energy / window.length / FULL_SCALE ** 2;
  if (guess !== undefined) {
    const share = goertzelShare(window, sampleRate, guess);
    // Well above one half, no other frequency can be stronger, so the scan is skipped.
    if (share > 0.6) return { frequency: guess, share, power };
  }
  const coarse = strongest(window, sampleRate, SCAN_FROM, Math.min(SCAN_TO, sampleRate / 2 - SCAN_STEP), SCAN_STEP);
  const fine = strongest(window, sampleRate, coarse.frequency - SCAN_STEP + 1, coarse.frequency + SCAN_STEP - 1, 1);
  return { ...fine, power };
}

function strongest(window: Float64Array, sampleRate: number, from: number, to: number, step: number) {
  let best = { frequency: from, share: 0 };
  for (let frequency = from; frequency <= to; frequency += step) {
    const share = goertzelShare(window, sampleRate, frequency);
    if (share > best.share) best = { frequency, share };
  }
  return best;
}

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
