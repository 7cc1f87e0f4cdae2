import type { DebugLogLine, StatsLog } from '../../../src/protocol/client-logs.ts';
import type { DeviceId } from '../directory/sessions.ts';

/** The statistics of a call, as one of its devices sent them. */
export type KeptStatsLog = StatsLog & DeviceId;

/** A line of a client's log; the text is masked and without control characters. */
export type KeptDebugLog = DebugLogLine & DeviceId;

/** The newest statistics and log lines of clients, for tests and for developers. */
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

  /** Returns the statistics of a call, oldest first. */
  statsOf(callId: string): KeptStatsLog[] {
    return this.#stats.all.filter(({ call_id }) => call_id === callId);
  }

  /** Returns the lines of a user's clients, oldest first. */
  debugOf(userId: string): KeptDebugLog[] {
    return this.#debug.all.filter((line) => line.userId === userId);
  }
}

/** A list that keeps only its newest items. */
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
