/** The figures of the sound of a call, for each second and for the whole call. Pure. */
import type { AudioReading, MediaState } from '../messages.ts';
import { TONE_WINDOW_MS } from '../signals/tone-meter.ts';
import { Expectation, MOSTLY, START_MS } from './expectation.ts';
import { addSpan, emptySpan, type Sound, type SoundSpan, soundOf } from './sound-span.ts';
import { type Arrived, StreamLoss } from './stream-loss.ts';

/** The interval of audio packets is 20 ms. A busy machine delivers some of them late. */
const CUT_AFTER_MS = 300;
/** A window may be half full when a span ends. */
const windowsIn = (ms: number): number => Math.max(0, Math.floor(ms / TONE_WINDOW_MS) - 1);

/** The sound of one second. */
export interface HeardSecond extends Pick<Sound, 'tone' | 'level'> {
  readonly state: MediaState;
  /** The share of the second that the tone carried, 0 to 1. */
  readonly carried: number;
  readonly isSilent: boolean;
  /** Milliseconds without sound at the end of the second. */
  readonly silentMs: number;
  readonly loss: number | null;
}

export class AudioFigures {
  readonly #loss = new StreamLoss({ cutAfterMs: CUT_AFTER_MS });
  readonly #expectation = new Expectation();
  readonly #heard = emptySpan();
  #silentMs = 0;

  add(
    ms: number,
    {
      state,
      heard,
      arrived,
    }: { readonly state: MediaState; readonly heard: SoundSpan; readonly arrived: Arrived | null },
  ): HeardSecond {
    const isSilent = heard.windows === heard.silent;
    const { tone, level, carried } = soundOf(heard);
    this.#expectation.add(ms, state, !isSilent);
    if (state === 'due') addSpan(this.#heard, heard);
    if (state !== 'due') this.#silentMs = 0;
    else this.#silentMs = isSilent ? this.#silentMs + ms : heard.tail * TONE_WINDOW_MS;
    if (state !== 'due') this.#loss.excuse(arrived);
    return {
      state,
      tone,
      carried: carried === 0 ? 0 : Math.min(1, carried / Math.max(heard.windows, windowsIn(ms))),
      level,
      isSilent,
      silentMs: Math.round(this.#silentMs),
      loss: state === 'due' ? this.#loss.take(ms, arrived, !isSilent) : null,
    };
  }

  reading(): AudioReading {
    const { windows, silent } = this.#heard;
    const { tone, share, carried, level } = soundOf(this.#heard);
    const { times, isMet, presentMs } = this.#expectation;
    const sounding = (windows - silent) * TONE_WINDOW_MS;
    return {
      ok: isMet && (tone === null || carried >= MOSTLY * this.#dueWindows()),
      tone,
      share: Number(share.toFixed(3)),
      windows,
      carried,
      silent,
      level,
      ...times,
      heardMs: Math.round(presentMs),
      silentMs: Math.max(0, times.expectedMs - sounding),
      endSilenceMs: Math.round(this.#silentMs),
      loss: this.#loss.total,
    };
  }

  /** The number of windows that a steady tone would have carried. */
  #dueWindows(): number {
    const { windows, head } = this.#heard;
    return Math.max(windows, windowsIn(this.#expectation.times.expectedMs)) - Math.min(head, START_MS / TONE_WINDOW_MS);
  }
}
