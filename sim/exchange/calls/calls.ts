import { legOf, legsOf, liveLegs, type Call, type EndRecord, type Leg } from './call.ts';
import type { Clock } from '../../../src/common/clock.ts';
import type { DeviceId } from '../directory/sessions.ts';
import { AgingMap } from '../limits/aging-map.ts';
import type { ExchangeSettings } from '../settings.ts';

/** The capabilities of all legs of ended calls. */
const NONE: readonly string[] = [];

type Keeping = Pick<ExchangeSettings, 'endedCallMs' | 'endedCalls' | 'endedSignalChars'>;

/** The live calls, and the ended calls that are kept for a while. */
export class Calls {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #keeping: Keeping;
  readonly #live = new Map<string, Call>();
  /**
   * The live calls of each user as caller or callee, oldest first. Most users have one, for which an array takes a
   * quarter of the memory of a set. An array is replaced, never changed.
   */
  readonly #byUser = new Map<string, readonly Call[]>();
  /** The ended calls, oldest first, with the end by the monotonic clock. */
  readonly #ended = new AgingMap<string, { readonly call: Call; readonly at: number }>();

  constructor(clock: Pick<Clock, 'now'>, keeping: Keeping) {
    this.#clock = clock;
    this.#keeping = keeping;
  }

  add(call: Call): void {
    this.#live.set(call.id, call);
    for (const userId of usersOf(call)) {
      const others = this.liveWith(userId).filter((other) => other !== call);
      this.#byUser.set(userId, others.concat(call));
    }
  }

  /** Moves an ended call to those that are kept for late commands, without what they do not need. */
  settle(call: Call): void {
    this.#removeLive(call);
    const now = this.#clock.now();
    this.#ended.set(call.id, { call, at: now });
    call.begunAt = null;
    for (const leg of legsOf(call)) {
      leg.capabilities = NONE;
      leg.signals.trim(this.#keeping.endedSignalChars);
    }
    const { endedCallMs, endedCalls } = this.#keeping;
    this.#ended.dropOldest(({ at }) => at + endedCallMs <= now || this.#ended.size > endedCalls);
  }

  /** Forgets a live call, which another exchange owns now. */
  forget(call: Call): void {
    this.#removeLive(call);
  }

  /** Forgets everything, as a crash would. */
  clear(): void {
    this.#live.clear();
    this.#byUser.clear();
    this.#ended.clear();
  }

  #removeLive(call: Call): void {
    this.#live.delete(call.id);
    for (const userId of usersOf(call)) {
      const others = this.liveWith(userId).filter((other) => other !== call);
      if (others.length === 0) this.#byUser.delete(userId);
      else this.#byUser.set(userId, others.slice());
    }
  }

  get(callId: string): Call | undefined {
    return this.#live.get(callId) ?? this.#ended.get(callId)?.call;
  }

  /** Returns whether a call is there and not over. */
  isLive(callId: string): boolean {
    return this.#live.has(callId);
  }

  get live(): readonly Call[] {
    return [...this.#live.values()];
  }

  /** Returns the live calls of a user as caller or callee, oldest first. */
  liveWith(userId: string): readonly Call[] {
    return this.#byUser.get(userId) ?? [];
  }

  /** Returns the calls that are not over for this device, with its leg. */
  liveOf(device: DeviceId): { call: Call; leg: Leg }[] {
    return this.liveWith(device.userId).flatMap((call) => {
      const leg = legOf(call, device);
      return leg && leg.outcome === null ? [{ call, leg }] : [];
    });
  }

  /** Returns the calls that ring for this user. */
  ringingFor(userId: string): Call[] {
    return this.liveWith(userId).filter((call) => call.state.name === 'ringing' && call.calleeUser.user_id === userId);
  }

  /** Returns whether the user is in a call: accepted and not ended. */
  isInCall(userId: string): boolean {
    return this.liveWith(userId).some(
      (call) => call.state.name !== 'ringing' && liveLegs(call).some(({ device }) => device.userId === userId),
    );
  }

  /** Returns the calls that ended in the last `ms` milliseconds. */
  endedWithin(ms: number): Call[] {
    const now = this.#clock.now();
    return [...this.#ended.values()].filter(({ at }) => now - at < ms).map(({ call }) => call);
  }

  /** The records of the ended calls that are kept, oldest first. */
  get records(): EndRecord[] {
    return [...this.#ended.values()].flatMap(({ call: { state } }) => (state.name === 'ended' ? [state.record] : []));
  }
}

const usersOf = ({ callerUser, calleeUser }: Call) => [callerUser.user_id, calleeUser.user_id];
