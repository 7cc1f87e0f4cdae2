import { legOf, liveLegs, type Call, type EndRecord, type Leg } from './call.ts';
import type { Clock } from './ports.ts';
import type { DeviceId } from './sessions.ts';
import type { ExchangeSettings } from './settings.ts';

type Keeping = Pick<ExchangeSettings, 'endedCallMs' | 'endedCalls'>;

/** The calls that go on, and for a while those that ended. */
export class Calls {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #keeping: Keeping;
  readonly #live = new Map<string, Call>();
  /** Oldest first. */
  readonly #ended = new Map<string, Call>();

  constructor(clock: Pick<Clock, 'now'>, keeping: Keeping) {
    this.#clock = clock;
    this.#keeping = keeping;
  }

  add(call: Call): void {
    this.#live.set(call.id, call);
  }

  /** The call has ended: it is kept for those who ask late. */
  settle(call: Call): void {
    this.#live.delete(call.id);
    this.#ended.set(call.id, call);
    for (const [id, { state }] of this.#ended) {
      const isOld = state.name === 'ended' && state.record.endedAt + this.#keeping.endedCallMs <= this.#clock.now();
      if (!isOld && this.#ended.size <= this.#keeping.endedCalls) return;
      this.#ended.delete(id);
    }
  }

  /** Forgets everything, as a crash would. */
  clear(): void {
    this.#live.clear();
    this.#ended.clear();
  }

  get(callId: string): Call | undefined {
    return this.#live.get(callId) ?? this.#ended.get(callId);
  }

  get live(): readonly Call[] {
    return [...this.#live.values()];
  }

  /** The calls that are not over for this device, with its leg. */
  liveOf(device: DeviceId): { call: Call; leg: Leg }[] {
    return this.live.flatMap((call) => {
      const leg = legOf(call, device);
      return leg && leg.outcome === null ? [{ call, leg }] : [];
    });
  }

  /** The calls that ring for this user. */
  ringingFor(userId: string): Call[] {
    return this.live.filter((call) => call.state.name === 'ringing' && call.calleeUser.user_id === userId);
  }

  /** Whether the user speaks with somebody: a call of theirs has been accepted and has not ended. */
  isInCall(userId: string): boolean {
    return this.live.some(
      (call) => call.state.name !== 'ringing' && liveLegs(call).some(({ device }) => device.userId === userId),
    );
  }

  /** The records of ended calls that are still kept, oldest first. */
  get records(): EndRecord[] {
    return [...this.#ended.values()].flatMap(({ state }) => (state.name === 'ended' ? [state.record] : []));
  }
}
