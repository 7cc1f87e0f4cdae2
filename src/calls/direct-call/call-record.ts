import type { EndResult } from '../../protocol/enumerations.ts';
import type { Clock } from '../../common/clock.ts';
import { endResultName, type DirectCallEndResult } from './direct-call-log.ts';

/** The times of a call and its result. */
export class CallRecord {
  readonly #clock: Pick<Clock, 'now' | 'wallTime'>;
  /** The moments of the call by the monotonic clock, for measuring. */
  readonly #marks = new Map<'dialed' | 'ringing' | 'accepted' | 'connected' | 'ended', number>();
  readonly #dialedAt: number;
  #connectedAt: number | null = null;
  #endedAt: number | null = null;
  #result: EndResult | null = null;
  #endedBy: string | null = null;
  #reconnections = 0;

  constructor(clock: Pick<Clock, 'now' | 'wallTime'>) {
    this.#clock = clock;
    this.#dialedAt = clock.wallTime();
    this.mark('dialed');
  }

  /** When the sides connected, else when this side dialled or rang. Milliseconds since the epoch. */
  get startedAt(): number {
    return this.#connectedAt ?? this.#dialedAt;
  }

  get endedAt(): number | null {
    return this.#endedAt;
  }

  /** The result on the wire. Null while the call lives. */
  get result(): EndResult | null {
    return this.#result;
  }

  /** The result for hosts. Undefined while the call lives. */
  get publicResult(): DirectCallEndResult | undefined {
    return this.#result === null ? undefined : endResultName(this.#result);
  }

  /** The id of the user who ended the call. Null when no user ended it. */
  get endedBy(): string | null {
    return this.#endedBy;
  }

  get reconnections(): number {
    return this.#reconnections;
  }

  mark(moment: 'dialed' | 'ringing' | 'accepted' | 'connected' | 'ended'): void {
    if (!this.#marks.has(moment)) this.#marks.set(moment, this.#clock.now());
  }

  connected(): void {
    this.mark('connected');
    this.#connectedAt ??= this.#clock.wallTime();
  }

  reconnected(): void {
    this.#reconnections += 1;
  }

  /** Sets the result of the call. Only the first result counts. */
  end(result: EndResult, endedBy: string | null): void {
    if (this.#result !== null) return;
    this.#result = result;
    this.#endedBy = endedBy;
    this.mark('ended');
    // The wall clock may have been set back meanwhile: no record ends before it began (I8).
    this.#endedAt = Math.max(this.#clock.wallTime(), this.startedAt + this.duration());
  }

  /** Returns the whole milliseconds connected so far, or in all. 0 when the sides never were. */
  duration(): number {
    const from = this.#marks.get('connected');
    return from === undefined ? 0 : Math.round((this.#marks.get('ended') ?? this.#clock.now()) - from);
  }

  /** Returns when a moment was, by the monotonic clock. Null when it was not. */
  when(moment: 'dialed' | 'ringing' | 'accepted' | 'connected'): number | null {
    return this.#marks.get(moment) ?? null;
  }
}
