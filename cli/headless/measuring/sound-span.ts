/** What was heard in a span of a call, from the windows of a tone meter. Pure. */
import { SAME_TONE_HZ, type SoundWindow } from '../signals/tone-meter.ts';

/** Windows that one frequency carried. */
export interface CarriedTone {
  readonly frequency: number;
  windows: number;
  /** Sum of the shares of energy in those windows. */
  shares: number;
}

export interface SoundSpan {
  /** All windows, silent ones included. */
  windows: number;
  silent: number;
  /** Silent windows before the first with sound; all of them where none has sound. */
  head: number;
  /** Silent windows after the last with sound; all of them where none has sound. */
  tail: number;
  /** Sum of the power of the windows with sound, 1 at full scale. */
  power: number;
  readonly tones: CarriedTone[];
}

export const emptySpan = (): SoundSpan => ({ windows: 0, silent: 0, head: 0, tail: 0, power: 0, tones: [] });

/** Adds a window to a span; null is a silent one. */
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

/** Adds what a later span has to an earlier one. */
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

/** A test tone is one of the first that are heard. Speech and music have ever new ones, and a call may last for days. */
const MOST_TONES = 200;
/** Sound is a tone when one frequency carries at least this share of the windows with sound. */
const TONE_SHARE = 0.5;

/** What a span sounds like. */
export interface Sound {
  /** Hertz; null where the sound is no tone, or there is none. */
  readonly tone: number | null;
  /** Mean share of the energy at that frequency, over the windows that it carried, 0 to 1. */
  readonly share: number;
  /** Windows that the tone carried. */
  readonly carried: number;
  /** Mean level of the windows with sound, decibels below full scale; null where there are none. */
  readonly level: number | null;
}

export function soundOf({ windows, silent, power, tones }: SoundSpan): Sound {
  const sounding = windows - silent;
  const level = sounding > 0 ? Math.round(10 * Math.log10(power / sounding)) : null;
  const [best] = tones.toSorted((one, other) => other.windows - one.windows);
  if (!best || best.windows < TONE_SHARE * sounding) return { tone: null, share: 0, carried: 0, level };
  return { tone: best.frequency, share: best.shares / best.windows, carried: best.windows, level };
}
