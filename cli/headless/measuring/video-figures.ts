/** The figures of the picture of a call, for each second and for the whole call. Pure. */
import type { MediaState, VideoReading, VideoSecond } from '../messages.ts';
import { type FrameSpan, hasGoodMarkers } from '../signals/frame-meter.ts';
import { Expectation } from './expectation.ts';
import { type Arrived, StreamLoss } from './stream-loss.ts';

/** A missing camera sends a black picture once a second. */
const CUT_AFTER_MS = 1_500;
const SUMS = ['frames', 'markers', 'rising', 'steps', 'missed', 'moved', 'freezes'] as const;

export class VideoFigures {
  readonly #loss = new StreamLoss({ cutAfterMs: CUT_AFTER_MS });
  readonly #expectation = new Expectation();
  readonly #sums = { frames: 0, markers: 0, rising: 0, steps: 0, missed: 0, moved: 0, freezes: 0 };
  #size = { width: 0, height: 0 };
  #longestGapMs = 0;
  #endGapMs = 0;

  add(
    ms: number,
    {
      state,
      seen,
      arrived,
    }: { readonly state: MediaState; readonly seen: FrameSpan; readonly arrived: Arrived | null },
  ): VideoSecond {
    const { frames, width, height, markers, moved, freezes } = seen;
    const isDue = state === 'due';
    this.#expectation.add(ms, state, moved > 0);
    this.#endGapMs = isDue ? seen.sinceLastMs : 0;
    if (frames > 0) this.#size = { width, height };
    if (isDue) {
      for (const name of SUMS) this.#sums[name] += seen[name];
      this.#longestGapMs = Math.max(this.#longestGapMs, seen.longestGapMs);
    } else this.#loss.excuse(arrived);
    return {
      state,
      frames,
      fps: perSecond(frames, ms),
      width,
      height,
      markers,
      hasGoodMarkers: hasGoodMarkers(seen),
      moved,
      freezes,
      stillMs: Math.round(this.#endGapMs),
      loss: isDue ? this.#loss.take(ms, arrived, frames > 0) : null,
    };
  }

  reading(): VideoReading {
    const { times, isMet, presentMs } = this.#expectation;
    const { frames, markers } = this.#sums;
    return {
      ok: isMet && (markers === 0 || hasGoodMarkers(this.#sums)),
      ...this.#sums,
      ...this.#size,
      fps: perSecond(frames, times.expectedMs),
      longestGapMs: Math.round(this.#longestGapMs),
      ...times,
      seenMs: Math.round(presentMs),
      endGapMs: Math.round(this.#endGapMs),
      loss: this.#loss.total,
    };
  }
}

const perSecond = (frames: number, ms: number): number => (ms === 0 ? 0 : Number(((frames * 1_000) / ms).toFixed(1)));
