/** The progress of `make test`: the running stages, their tests, and the remaining time. */
import { clock, timeLeft } from './display.ts';
import type { StageRun } from './run-stage.ts';
import type { Stage } from './stages.ts';

export class RunProgress {
  readonly #groups: readonly (readonly Stage[])[];
  readonly #factor: number;
  readonly #began: number;
  readonly #running = new Map<Stage, StageRun>();
  readonly #ended = new Set<Stage>();

  /** Takes the lanes in their order: the first, the parallel ones, and the last. */
  constructor(lanes: readonly (readonly Stage[])[], factor: number, began: number) {
    this.#groups = lanes;
    this.#factor = factor;
    this.#began = began;
  }

  start(run: StageRun): void {
    this.#running.set(run.stage, run);
  }

  /** Marks a stage as ended. Returns the moment it began. */
  end(stage: Stage): number {
    const began = this.#running.get(stage)?.began ?? this.#began;
    this.#running.delete(stage);
    this.#ended.add(stage);
    return began;
  }

  /** ` 1:05  wrtc 12 of 31 tests, check 3 of 9 tests; about 4 min left` */
  text(now: number): string {
    const stages = [...this.#running.values()].map(({ stage, progress }) => `${stage.name} ${progress.text}`.trimEnd());
    return `${clock(now - this.#began)}  ${stages.join(', ')}; ${timeLeft(this.left(now))}`;
  }

  /** Returns the milliseconds until the end. Of parallel lanes the longest counts. */
  left(now: number): number {
    const lanes = this.#groups.map((lane) => lane.reduce((sum, stage) => sum + this.#leftOf(stage, now), 0));
    const first = lanes[0] ?? 0;
    const last = lanes.length > 1 ? (lanes.at(-1) ?? 0) : 0;
    return first + Math.max(0, ...lanes.slice(1, -1)) + last;
  }

  #leftOf(stage: Stage, now: number): number {
    if (this.#ended.has(stage)) return 0;
    const whole = stage.seconds * 1000 * this.#factor;
    const run = this.#running.get(stage);
    if (!run) return whole;
    return run.progress.left(now) ?? Math.max(0, whole - (now - run.began));
  }
}
