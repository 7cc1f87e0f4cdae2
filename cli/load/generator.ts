/**
 * The load generator: dials each call when it is due, whatever became of the calls before it. A call that is due while
 * no pair is free waits, and its times still count from the moment when it was due. So a slow server cannot hide its
 * slowness by slowing the arrivals down.
 */
import type { Clock, Timer } from '../../src/common/clock.ts';
import { TIMES } from '../../src/protocol/limits.ts';
import { arrivals, type Stage } from './arrivals.ts';
import type { CallListener, Ending, Moments, Step } from './call-pair.ts';
import { type CallKind, kindsOf, type Mix } from './mix.ts';
import type { LoadSink, Outcome } from './metrics.ts';

/** What the users send: nothing, a tone, or a tone and a picture. */
export type Media = 'none' | 'tone' | 'video';

/** What a run does. */
export interface LoadPlan {
  readonly stages: readonly Stage[];
  readonly mix: Mix;
  readonly media: Media;
  /** The time for which a call stays connected, milliseconds. */
  readonly holdMs: number;
  /** The longest wait for the next step of a call, milliseconds. */
  readonly stepLimitMs: number;
  /** This generator dials every call whose number modulo `of` is `at`. */
  readonly part: { readonly at: number; readonly of: number };
}

/** What the generator needs of a pair of users. */
export interface Callable {
  dial(listener: CallListener, accepts: boolean): void;
  end(how: Ending): void;
  abandon(): void;
  alive(): void;
}

/** A timer early by less than this is on time, milliseconds: the timers of Node have whole milliseconds. */
const EARLY_MS = 1;

/** How a call of each kind ends, and its outcome. */
const ENDS: Readonly<Record<CallKind, { readonly by: Ending; readonly as: Outcome }>> = {
  complete: { by: 'end', as: 'completed' },
  decline: { by: 'decline', as: 'declined' },
  cancel: { by: 'cancel', as: 'canceled' },
};

interface Live {
  readonly pair: Callable;
  readonly kind: CallKind;
  /** The moment from which its times count. */
  readonly dueAt: number;
  waitsFor: Step;
  timer: Timer | null;
  alive: Timer | null;
  isCut: boolean;
}

export class LoadGenerator {
  /** Resolves when every call is over and no further one is due. */
  readonly done: Promise<void>;
  readonly #plan: LoadPlan;
  readonly #clock: Clock;
  readonly #sink: LoadSink;
  readonly #free: Callable[];
  readonly #pairs: Set<Callable>;
  readonly #live = new Map<Callable, Live>();
  readonly #arrivals: Iterator<number, void>;
  readonly #kinds: Iterator<CallKind>;
  /** The moments of the calls that are due and not dialled. */
  #due: number[] = [];
  /** The number of due calls that wait for a free pair, the first ones. */
  #waiting = 0;
  #next: number | null = null;
  #startedAt = 0;
  #timer: Timer | null = null;
  #isOver = false;
  #resolve: () => void = () => undefined;

  constructor(plan: LoadPlan, pairs: readonly Callable[], { clock, sink }: { clock: Clock; sink: LoadSink }) {
    this.#plan = plan;
    this.#clock = clock;
    this.#sink = sink;
    this.#free = [...pairs];
    this.#pairs = new Set(pairs);
    this.#arrivals = partOf(arrivals(plan.stages), plan.part);
    this.#kinds = kindsOf(plan.mix);
    this.done = new Promise((resolve) => (this.#resolve = resolve));
  }

  start(): void {
    this.#startedAt = this.#clock.now();
    this.#advance();
    this.#tick();
  }

  /** Dials no further call, and ends every live one. */
  stop(): void {
    this.#next = null;
    this.#due = [];
    this.#timer?.cancel();
    for (const live of this.#live.values()) this.#cut(live);
    this.#check();
  }

  /** Takes a pair away whose channel has closed. Without pairs the run is over. */
  retire(pair: Callable): void {
    this.#pairs.delete(pair);
    const at = this.#free.indexOf(pair);
    if (at >= 0) this.#free.splice(at, 1);
    if (this.#pairs.size > 0) return;
    this.#next = null;
    this.#giveUp();
  }

  get #now(): number {
    return this.#clock.now() - this.#startedAt;
  }

  #advance(): void {
    const { value } = this.#arrivals.next();
    this.#next = value ?? null;
  }

  #tick(): void {
    while (this.#next !== null && this.#next <= this.#now + EARLY_MS) {
      this.#due.push(this.#next);
      this.#advance();
    }
    this.#dialDue();
    this.#waiting = this.#due.length;
    if (this.#isOver) return;
    if (this.#next === null) {
      // The last calls that are due wait once more for a free pair.
      const { holdMs, stepLimitMs } = this.#plan;
      this.#timer = this.#clock.after(holdMs + stepLimitMs, () => this.#giveUp());
    } else {
      this.#timer = this.#clock.after(Math.max(0, Math.floor(this.#next - this.#now)), () => this.#tick());
    }
    this.#check();
  }

  #giveUp(): void {
    for (const _ of this.#due) this.#sink.finished('unsent', this.#now);
    this.#due = [];
    this.#check();
  }

  #dialDue(): void {
    while (this.#due.length > 0 && this.#free.length > 0) {
      const pair = this.#free.shift() as Callable;
      const hasWaited = this.#waiting > 0;
      if (hasWaited) this.#waiting -= 1;
      this.#dial(pair, this.#due.shift() as number, hasWaited);
    }
  }

  #dial(pair: Callable, due: number, hasWaited: boolean): void {
    const kind = this.#kinds.next().value as CallKind;
    const sent = this.#now;
    const dueAt = Math.min(due, sent);
    const live: Live = { pair, kind, dueAt, waitsFor: 'rang', timer: null, alive: null, isCut: false };
    this.#live.set(pair, live);
    this.#sink.dialled(sent, hasWaited);
    this.#sink.measured('dial-lag', sent, sent - dueAt);
    this.#await(live, 'rang');
    pair.dial(
      {
        stepped: (step, moments) => this.#stepped(live, step, moments),
        refused: (command, code) => this.#finish(live, 'refused', `${command} ${code}`),
        lost: (why) => this.#finish(live, 'lost', why),
      },
      kind === 'complete',
    );
  }

  #stepped(live: Live, step: Step, moments: Moments): void {
    const at = this.#now;
    const since = (moment: number) => at - (moment - this.#startedAt);
    if (step === 'rang') {
      this.#sink.measured('dial-to-ring', at, at - live.dueAt);
      if (live.kind === 'complete') this.#await(live, 'accepted');
      else this.#end(live, ENDS[live.kind].by);
    }
    if (step === 'accepted') {
      this.#sink.measured('dial-to-accept', at, at - live.dueAt);
      this.#await(live, 'connected');
    }
    if (step === 'connected') {
      this.#sink.measured('accept-to-connected', at, since(moments.accepting));
      this.#hold(live);
    }
    if (step === 'ended') this.#sink.measured('end-to-ended', at, since(moments.ending));
    if (step === 'over') this.#finish(live, moments.areHeard === false ? 'unheard' : ENDS[live.kind].as);
    // A call that is cut before the server has named it ends at its next step.
    else if (live.isCut && step !== 'ended') this.#cut(live);
  }

  #hold(live: Live): void {
    live.timer?.cancel();
    live.alive = this.#clock.every(TIMES.aliveIntervalMs, () => live.pair.alive());
    live.timer = this.#clock.after(this.#plan.holdMs, () => this.#end(live, 'end'));
  }

  #end(live: Live, how: Ending): void {
    this.#await(live, 'ended');
    live.pair.end(how);
  }

  /** Ends a call because the run is over: by hanging up, or by canceling before the callee has accepted. */
  #cut(live: Live): void {
    live.isCut = true;
    if (live.waitsFor === 'ended' || live.waitsFor === 'rang') return;
    this.#end(live, live.waitsFor === 'accepted' ? 'cancel' : 'end');
  }

  /** Waits for the next step of a call, up to the limit. */
  #await(live: Live, step: Step): void {
    live.waitsFor = step;
    live.timer?.cancel();
    live.timer = this.#clock.after(this.#plan.stepLimitMs, () => {
      live.pair.abandon();
      this.#finish(live, 'stuck', `not ${step}`);
    });
  }

  #finish(live: Live, outcome: Outcome, detail?: string): void {
    live.timer?.cancel();
    live.alive?.cancel();
    this.#live.delete(live.pair);
    this.#sink.finished(live.isCut && outcome !== 'lost' ? 'interrupted' : outcome, this.#now, detail);
    if (this.#pairs.has(live.pair)) this.#free.push(live.pair);
    this.#dialDue();
    this.#check();
  }

  #check(): void {
    if (this.#isOver || this.#next !== null || this.#due.length > 0 || this.#live.size > 0) return;
    this.#isOver = true;
    this.#timer?.cancel();
    this.#resolve();
  }
}

function* partOf(all: Iterable<number>, { at, of }: LoadPlan['part']): Generator<number, void> {
  let number = 0;
  for (const due of all) {
    if (number % of === at) yield due;
    number += 1;
  }
}
