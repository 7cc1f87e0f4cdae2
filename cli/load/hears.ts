import { type SoundSpan, soundOf } from '../headless/measuring/sound-span.ts';
import { SAME_TONE_HZ, TONE_WINDOWS_SHARE } from '../headless/signals/tone-meter.ts';

/** Returns whether a tone is heard: it carries most of the time from the first sound to the last. */
export function hears(span: SoundSpan, frequency: number): boolean {
  const { tone, carried } = soundOf(span);
  const sounding = span.windows - span.head - span.tail;
  return tone !== null && Math.abs(tone - frequency) <= SAME_TONE_HZ && carried >= TONE_WINDOWS_SHARE * sounding;
}
