import type { DebugLogLine, StatsLog } from '../../../src/protocol/client-logs.ts';
import type { DeviceId } from '../directory/sessions.ts';

/** The statistics of a call, as one of its devices sent them. */
export type KeptStatsLog = StatsLog & DeviceId;

/** A line of a client's log; the text is masked and without control characters. */
export type KeptDebugLog = DebugLogLine & DeviceId;

/** What clients told of themselves, the newest of it, for tests and tools to read. */
export class ClientLogs {
  readonly #stats: Newest<KeptStatsLog>;
  readonly #debug: Newest<KeptDebugLog>;

  constructor(settings: { readonly statsLogs: number; readonly debugLogs: number }) {
    this.#stats = new Newest(settings.statsLogs);
    this.#debug = new Newest(settings.debugLogs);
  }

  addStats(device: DeviceId, log: StatsLog): void {
    this.#stats.add([{ ...log, ...device }]);
  }

  addDebug(device: DeviceId, lines: readonly DebugLogLine[]): void {
    this.#debug.add(lines.map((line) => ({ ...line, ...device })));
  }

  /** Oldest first. */
  statsOf(callId: string): KeptStatsLog[] {
    return this.#stats.all.filter(({ call_id }) => call_id === callId);
  }

  /** Oldest first. */
  debugOf(userId: string): KeptDebugLog[] {
    return this.#debug.all.filter((line) => line.userId === userId);
  }
}

/** At most so many things, those that came last. */
class Newest<T> {
  readonly #limit: number;
  #kept: readonly T[] = [];

  constructor(limit: number) {
    this.#limit = limit;
  }

  get all(): readonly T[] {
    return this.#kept;
  }

  add(more: readonly T[]): void {
    this.#kept = [...this.#kept, ...more].slice(-this.#limit);
  }
}
