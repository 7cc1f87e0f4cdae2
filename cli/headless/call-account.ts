/** The account of one call: its steps, its errors and its media, and its report at the end. */
import { MediaAccount } from './media-account.ts';
import type { MeasuredView } from './measured-view.ts';
import type { Assignment, CallReport } from './messages.ts';

export type Step = Exclude<keyof CallReport['timings'], 'firstFrame'>;

/** The outcome of an ended call. */
export type CallOutcome = Pick<CallReport, 'result' | 'callId' | 'role' | 'peer' | 'video' | 'endedBy' | 'duration'>;

export class CallAccount {
  /** The media that arrives. */
  readonly media: MediaAccount;
  readonly #assignment: Assignment;
  readonly #view: MeasuredView;
  readonly #now: () => number;
  readonly #startedAt: number;
  readonly #timings: CallReport['timings'] = {};
  readonly #errors: CallReport['errors'] = [];
  #reconnections = 0;

  constructor(assignment: Assignment, view: MeasuredView, now: () => number) {
    this.#assignment = assignment;
    this.#view = view;
    this.#now = now;
    this.#startedAt = now();
    this.media = new MediaAccount(view, now);
  }

  /** Records that a step was reached. Returns the milliseconds since the start of the call. */
  reached(step: Step): number {
    const afterMs = this.#since(this.#now());
    this.#timings[step] ??= afterMs;
    return afterMs;
  }

  reconnected(): void {
    this.#reconnections += 1;
  }

  failed(error: CallReport['errors'][number]): void {
    this.#errors.push(error);
  }

  /** Returns whole milliseconds since the start of the call. */
  #since(at: number): number {
    return Math.max(0, Math.round(at - this.#startedAt));
  }

  report(outcome: CallOutcome): CallReport {
    const { media, userId } = this.#assignment;
    const { stats } = this.media;
    const volume = (sent: { packets: number; bytes: number } | null | undefined) => ({
      packets: sent?.packets ?? 0,
      bytes: sent?.bytes ?? 0,
    });
    const firstFrame = this.#view.firstFrameAt;
    return {
      ...outcome,
      user: userId,
      sent: {
        audio: { tone: media.tone, ...volume(stats?.audio.sent) },
        ...(outcome.video
          ? { video: { width: media.width, height: media.height, fps: media.fps, ...volume(stats?.video.sent) } }
          : {}),
      },
      ...this.media.figures(),
      connection: this.media.connection(),
      reconnections: this.#reconnections,
      timings: {
        ...this.#timings,
        ...(firstFrame === null ? {} : { firstFrame: this.#since(firstFrame) }),
      },
      errors: this.#errors,
    };
  }
}
