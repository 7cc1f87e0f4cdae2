/** A caller and a callee of a soak run, who make one call at a time. Every leg is followed to its end. */
import type { DirectCall } from '../../../src/calls/direct-call/direct-call.ts';
import type { DirectCallEndResult } from '../../../src/calls/direct-call/direct-call-log.ts';
import type { Clock, Timer } from '../../../src/common/clock.ts';
import type { LegResult } from './outcome-pairs.ts';
import type { SoakDevice } from './soak-device.ts';

/** What the users of a call do. */
export type CallStory = 'complete' | 'hang up' | 'decline' | 'cancel' | 'ignore';

/** The waits of the users. Milliseconds of the clock of the devices. */
export interface CallWaits {
  readonly answerMs: number;
  readonly holdMs: number;
}

/** A call whose legs have ended. */
export interface EndedCall {
  readonly story: CallStory;
  readonly caller: DirectCallEndResult;
  readonly callee: LegResult;
  readonly wasConnected: boolean;
  /** The notifications of the end: two, or one when the callee never rang. */
  readonly endNotices: number;
  readonly legs: number;
  /** From the dial to the ring of the callee. Real milliseconds. Null when it never rang. */
  readonly ringMs: number | null;
}

interface Leg {
  readonly call: DirectCall;
  endNotices: number;
}

interface Running {
  readonly story: CallStory;
  readonly waits: CallWaits;
  readonly dialledAt: number;
  readonly caller: Leg;
  readonly callees: Leg[];
  readonly timers: Set<Timer>;
  ringMs: number | null;
  wasConnected: boolean;
  /** When a leg first ended, by the clock of the devices. */
  endedAt: number | null;
}

/** The time in which a callee may still ring for a call that its caller has ended. Milliseconds. */
const LATE_RING_MS = 2_000;

export class SoakPair {
  readonly caller: SoakDevice;
  readonly callee: SoakDevice;
  readonly #clock: Clock;
  readonly #over: (pair: SoakPair, ended: EndedCall) => void;
  #running: Running | null = null;

  constructor(
    [caller, callee]: readonly [SoakDevice, SoakDevice],
    { clock, over }: { readonly clock: Clock; readonly over: (pair: SoakPair, ended: EndedCall) => void },
  ) {
    this.caller = caller;
    this.callee = callee;
    this.#clock = clock;
    this.#over = over;
    callee.client.addListener('soak', { onRinging: (call) => this.#rings(call) });
  }

  get isFree(): boolean {
    return this.#running === null;
  }

  /** The number of legs that ring or wait for an answer. */
  get ringingLegs(): number {
    const running = this.#running;
    return running && !running.wasConnected ? this.openLegs : 0;
  }

  /** Ends the call of the caller, if there is one. */
  hangUp(): void {
    this.#running?.caller.call.end();
  }

  /** The number of legs that have not ended. */
  get openLegs(): number {
    return this.#legs().filter(({ call }) => !call.isEnded).length;
  }

  /** Returns how long one leg of the call has been open although the other ended. Milliseconds of the devices. */
  get openAloneMs(): number {
    const endedAt = this.#running?.endedAt ?? null;
    return endedAt === null || this.openLegs === 0 ? 0 : this.#clock.now() - endedAt;
  }

  dial(story: CallStory, waits: CallWaits): void {
    const call = this.caller.client.dial(
      { userId: this.callee.userId, isVideoCall: false, callOption: {} },
      () => undefined,
    );
    const caller: Leg = { call, endNotices: 0 };
    const running: Running = {
      story,
      waits,
      dialledAt: performance.now(),
      caller,
      callees: [],
      timers: new Set(),
      ringMs: null,
      wasConnected: false,
      endedAt: null,
    };
    this.#running = running;
    this.#follow(running, caller);
    call.onConnected = () => {
      running.wasConnected = true;
      if (story === 'complete') this.#later(running, waits.holdMs, () => call.end());
    };
  }

  #rings(call: DirectCall): void {
    const running = this.#running;
    if (!running) return call.end();
    const leg: Leg = { call, endNotices: 0 };
    running.callees.push(leg);
    running.ringMs ??= performance.now() - running.dialledAt;
    this.#follow(running, leg);
    const { story, waits } = running;
    call.onConnected = () => {
      running.wasConnected = true;
      if (story === 'hang up') this.#later(running, waits.holdMs, () => call.end());
    };
    this.#later(running, waits.answerMs, () => {
      if (call.isEnded) return;
      if (story === 'decline') call.end();
      else if (story === 'cancel') running.caller.call.end();
      else if (story !== 'ignore') call.accept({ callOption: {} });
    });
  }

  #follow(running: Running, leg: Leg): void {
    leg.call.onEnded = () => {
      leg.endNotices += 1;
      running.endedAt ??= this.#clock.now();
      this.#later(running, LATE_RING_MS, () => this.#close(running));
    };
  }

  #legs(): Leg[] {
    const running = this.#running;
    return running ? [running.caller, ...running.callees] : [];
  }

  #close(running: Running): void {
    const { caller, callees, story, ringMs, wasConnected } = running;
    const legs = [caller, ...callees];
    if (this.#running !== running || legs.some(({ call }) => !call.isEnded)) return;
    this.#running = null;
    for (const timer of running.timers) timer.cancel();
    // On a busy machine the callee may ring late for a former call, which has another id.
    const { callId } = caller.call;
    const own = callees.filter(({ call }) => callId === '' || call.callId === callId).at(-1);
    this.#over(this, {
      story,
      caller: caller.call.endResult ?? 'UNKNOWN',
      callee: own ? (own.call.endResult ?? 'UNKNOWN') : 'NONE',
      wasConnected,
      endNotices: legs.reduce((sum, { endNotices }) => sum + endNotices, 0),
      legs: legs.length,
      ringMs,
    });
  }

  #later(running: Running, ms: number, run: () => void): void {
    const timer = this.#clock.after(ms, () => {
      running.timers.delete(timer);
      run();
    });
    running.timers.add(timer);
  }
}
