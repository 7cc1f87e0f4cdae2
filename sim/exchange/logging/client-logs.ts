import type { DebugLogLine, StatsLog } from '../../../src/protocol/client-logs.ts';
import type { DeviceId } from '../directory/sessions.ts';
import type { LogLevel } from '../../../src/protocol/enumerations.ts';
import type { Core } from '../core.ts';
import { notify, type Delivery } from '../delivery/deliver.ts';

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

type Needs = Delivery & Pick<Core, 'devices' | 'uploadLevels'>;

/**
 * Sets the lowest level of log lines that a user's clients upload. Connected devices get it now, others when they
 * connect.
 */
export function setUploadLevel(core: Needs, userId: string, level: LogLevel): void {
  core.uploadLevels.set(userId, level);
  for (const clientId of core.devices.clientsOf(userId)) sendUploadLevel(core, { userId, clientId });
}

/** Sends a device its level if one was set. The default is NONE (§3). */
export function sendUploadLevel(core: Needs, device: DeviceId): void {
  const level = core.uploadLevels.get(device.userId);
  if (level) notify(core, device, { cmd: 'UTIL', type: 'log_level', payload: { level } });
}
