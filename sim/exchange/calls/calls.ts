import { legOf, legsOf, liveLegs, type Call, type EndRecord, type Leg } from './call.ts';
import type { Clock } from '../ports.ts';
import type { DeviceId } from '../directory/sessions.ts';
import type { ExchangeSettings } from '../settings.ts';

type Keeping = Pick<ExchangeSettings, 'endedCallMs' | 'endedCalls' | 'endedSignalChars'>;

/** The calls that go on, and for a while those that ended. */
export class Calls {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #keeping: Keeping;
  readonly #live = new Map<string, Call>();
  /** The live calls of each user, of either side, the oldest first. */
  readonly #byUser = new Map<string, Set<Call>>();
  /** Oldest first; each with when it ended, by the monotonic clock. */
  readonly #ended = new Map<string, { readonly call: Call; readonly at: number }>();

  constructor(clock: Pick<Clock, 'monotonic'>, keeping: Keeping) {
    this.#clock = clock;
    this.#keeping = keeping;
  }

  add(call: Call): void {
    this.#live.set(call.id, call);
    for (const userId of usersOf(call)) {
      this.#byUser.set(userId, (this.#byUser.get(userId) ?? new Set()).add(call));
    }
  }

  /** The call has ended: it is kept for those who ask late. */
  settle(call: Call): void {
    this.#live.delete(call.id);
    for (const userId of usersOf(call)) {
      const others = this.#byUser.get(userId);
      others?.delete(call);
      if (others?.size === 0) this.#byUser.delete(userId);
    }
    const now = this.#clock.monotonic();
    this.#ended.set(call.id, { call, at: now });
    for (const { signals } of legsOf(call)) signals.trim(this.#keeping.endedSignalChars);
    for (const [id, { at }] of this.#ended) {
      const isOld = at + this.#keeping.endedCallMs <= now;
      if (!isOld && this.#ended.size <= this.#keeping.endedCalls) return;
      this.#ended.delete(id);
    }
  }

  /** Forgets everything, as a crash would. */
  clear(): void {
    this.#live.clear();
    this.#byUser.clear();
    this.#ended.clear();
  }

  get(callId: string): Call | undefined {
    return this.#live.get(callId) ?? this.#ended.get(callId)?.call;
  }

  get live(): readonly Call[] {
    return [...this.#live.values()];
  }

  /** The live calls that the user dialled or is dialled in, oldest first. */
  liveWith(userId: string): readonly Call[] {
    return [...(this.#byUser.get(userId) ?? [])];
  }

  /** The calls that are not over for this device, with its leg. */
  liveOf(device: DeviceId): { call: Call; leg: Leg }[] {
    return this.liveWith(device.userId).flatMap((call) => {
      const leg = legOf(call, device);
      return leg && leg.outcome === null ? [{ call, leg }] : [];
    });
  }

  /** The calls that ring for this user. */
  ringingFor(userId: string): Call[] {
    return this.liveWith(userId).filter((call) => call.state.name === 'ringing' && call.calleeUser.user_id === userId);
  }

  /** Returns true while an accepted call of the user has not ended. */
  isInCall(userId: string): boolean {
    return this.liveWith(userId).some(
      (call) => call.state.name !== 'ringing' && liveLegs(call).some(({ device }) => device.userId === userId),
    );
  }

  /** The records of ended calls that are still kept, oldest first. */
  get records(): EndRecord[] {
    return [...this.#ended.values()].flatMap(({ call: { state } }) => (state.name === 'ended' ? [state.record] : []));
  }
}

const usersOf = ({ callerUser, calleeUser }: Call) => [callerUser.user_id, calleeUser.user_id];
