/** The sound of a span of a call, computed from the windows of a tone meter. Pure. */
import { SAME_TONE_HZ, type SoundWindow } from '../signals/tone-meter.ts';

/** The number of windows that one frequency carried. */
export interface CarriedTone {
  readonly frequency: number;
  windows: number;
  /** The sum of the energy shares in those windows. */
  shares: number;
}

export interface SoundSpan {
  /** The number of all windows, with silent ones. */
  windows: number;
  silent: number;
  /** The number of silent windows before the first sound. All windows when there is no sound. */
  head: number;
  /** The number of silent windows after the last sound. All windows when there is no sound. */
  tail: number;
  /** The sum of the power of the windows with sound, 1 at full scale. */
  power: number;
  readonly tones: CarriedTone[];
}

export const emptySpan = (): SoundSpan => ({ windows: 0, silent: 0, head: 0, tail: 0, power: 0, tones: [] });

/** Adds a window to a span. Null is a silent window. */
export function addWindow(span: SoundSpan, window: SoundWindow | null): void {
  const isFirst = span.silent === span.windows;
  span.windows += 1;
  if (window === null) {
    span.silent += 1;
    span.tail += 1;
    if (isFirst) span.head += 1;
    return;
  }
  span.tail = 0;
  span.power += window.power;
  if (window.frequency !== null) addTone(span, { frequency: window.frequency, windows: 1, shares: window.share });
}

/** Adds a later span to an earlier one. */
export function addSpan(span: SoundSpan, later: SoundSpan): void {
  const [isSilent, laterIsSilent] = [span.silent === span.windows, later.silent === later.windows];
  if (isSilent) span.head += later.head;
  span.tail = laterIsSilent ? span.tail + later.windows : later.tail;
  span.windows += later.windows;
  span.silent += later.silent;
  span.power += later.power;
  for (const tone of later.tones) addTone(span, tone);
}

function addTone({ tones }: SoundSpan, { frequency, windows, shares }: CarriedTone): void {
  const same = tones.find((one) => Math.abs(one.frequency - frequency) <= SAME_TONE_HZ);
  if (!same) {
    if (tones.length < MOST_TONES) tones.push({ frequency, windows, shares });
    return;
  }
  same.windows += windows;
  same.shares += shares;
}

/** The maximum number of frequencies. A test tone is among the first; speech and music add new ones for days. */
const MOST_TONES = 200;
/** Sound is a tone when one frequency carries at least this share of the windows with sound. */
const TONE_SHARE = 0.5;

/** The properties of the sound in a span. */
export interface Sound {
  /** Hertz. Null without sound, and for sound that is not a tone. */
  readonly tone: number | null;
  /** The mean energy share at that frequency, over the windows that it carried, 0 to 1. */
  readonly share: number;
  /** The number of windows that the tone carried. */
  readonly carried: number;
  /** The mean level of the windows with sound, decibels below full scale. Null without sound. */
  readonly level: number | null;
}

export function soundOf({ windows, silent, power, tones }: SoundSpan): Sound {
  const sounding = windows - silent;
  const level = sounding > 0 ? Math.round(10 * Math.log10(power / sounding)) : null;
  const [best] = tones.toSorted((one, other) => other.windows - one.windows);
  if (!best || best.windows < TONE_SHARE * sounding) return { tone: null, share: 0, carried: 0, level };
  return { tone: best.frequency, share: best.shares / best.windows, carried: best.windows, level };
}
