import type { Clock, Timer } from '../../../src/common/clock.ts';
import type { Log } from '../../exchange/logging/log.ts';

export type ServiceName = 'database' | 'redis' | 'relay' | 'janus';
export type ServiceState = 'ok' | 'failing';

/** A service that the server needs. */
export interface Service {
  readonly name: ServiceName;
  /** The setting with its address, as logs name it. Null for a part of the server, and for a service with its own log. */
  readonly setting: string | null;
  /** Rejects when the service does not work. */
  readonly check: () => Promise<unknown>;
  /** The least interval between two checks. Milliseconds, default 1 s. After a failure 2 s at most. */
  readonly everyMs?: number;
  /** The time limit of a check. Milliseconds, default 2 s. */
  readonly limitMs?: number;
  /** Whether a probe gets the last result and does not wait for a check. Before the first one the service fails. */
  readonly isSlow?: boolean;
}

interface Checked {
  readonly service: Service;
  askedAt: number;
  asked: Promise<ServiceState>;
  /** The result of the last check. Null before the first. */
  state: ServiceState | null;
}

const EVERY_MS = 1_000;
const LIMIT_MS = 2_000;
/** A failing service is checked again after this time, so that its recovery is noticed soon. Milliseconds. */
const AGAIN_MS = 2_000;
/** The services are checked at this interval also when no probe asks. Milliseconds. */
const WATCH_MS = 10_000;

interface ServiceChecksOptions {
  readonly clock: Pick<Clock, 'now' | 'after' | 'every'>;
  readonly log: Pick<Log, 'error' | 'info'>;
}

/** The checks of the services around a server, for its probes and metrics. The log has each failure once. */
export class ServiceChecks {
  readonly #options: ServiceChecksOptions;
  readonly #checked: Checked[] = [];
  #watch: Timer | null = null;

  constructor(options: ServiceChecksOptions) {
    this.#options = options;
  }

  add(service: Service): void {
    this.#checked.push({ service, askedAt: -Infinity, asked: Promise.resolve('failing'), state: null });
  }

  /** Checks the services from now on, also without probes. */
  watch(): void {
    this.#watch ??= this.#options.clock.every(WATCH_MS, () => void this.states());
    void this.states();
  }

  /** Returns the states of the services, at most as old as the intervals of their checks. */
  async states(): Promise<ReadonlyMap<ServiceName, ServiceState>> {
    const now = this.#options.clock.now();
    const states = this.#checked.map(async (one) => {
      const everyMs = one.service.everyMs ?? EVERY_MS;
      if (now - one.askedAt >= (one.state === 'failing' ? Math.min(everyMs, AGAIN_MS) : everyMs)) {
        one.askedAt = now;
        one.asked = this.#check(one);
      }
      return [one.service.name, one.service.isSlow ? (one.state ?? 'failing') : await one.asked] as const;
    });
    return new Map(await Promise.all(states));
  }

  /** The results of the last checks, without a new check. */
  get last(): ReadonlyMap<ServiceName, ServiceState> {
    return new Map(this.#checked.flatMap(({ service, state }) => (state ? [[service.name, state] as const] : [])));
  }

  dispose(): void {
    this.#watch?.cancel();
  }

  async #check(one: Checked): Promise<ServiceState> {
    const { name, setting, check, limitMs = LIMIT_MS } = one.service;
    const { log, clock } = this.#options;
    let state: ServiceState = 'ok';
    try {
      await inTime(clock, check(), limitMs);
    } catch (error) {
      state = 'failing';
      if (one.state !== 'failing' && setting !== null) log.error(`the ${name} does not work (${setting})`, { error });
    }
    if (state === 'ok' && one.state === 'failing' && setting !== null) log.info(`the ${name} works again (${setting})`);
    one.state = state;
    return state;
  }
}

function inTime(clock: Pick<Clock, 'after'>, work: Promise<unknown>, ms: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const limit = clock.after(ms, () => reject(new Error(`it did not answer within ${ms} ms`)));
    work.then(() => resolve(), reject).finally(() => limit.cancel());
  });
}
