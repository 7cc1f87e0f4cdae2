/** The server's metrics, in the text format of Prometheus. */
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { CallEvent } from '../../exchange/calls/call-event.ts';
import type { LoopDelay } from './event-loop-delay.ts';
import type { ServiceName, ServiceState } from './service-checks.ts';

const CALL_STATES = ['ringing', 'accepted', 'connected'] as const;
/** The bucket limits for statements of the database. Seconds. */
const STORE_BUCKETS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10];

/** The functions that are called when the metrics are read. */
interface Sources {
  /** Returns the number of open sockets. */
  readonly connections: () => number;
  readonly calls: () => readonly { readonly state: (typeof CALL_STATES)[number] }[];
  /** Returns the rooms with participants. */
  readonly rooms: () => readonly { readonly participants: number }[];
  /** Returns the results of the last checks of services. */
  readonly services: () => ReadonlyMap<ServiceName, ServiceState>;
  readonly loopDelay: () => LoopDelay;
}

/** The metrics of one server. Each has a separate registry, since several servers share a process in tests. */
export class Metrics {
  readonly #registry = new Registry();
  readonly #setUps: Counter;
  readonly #ended: Counter<'result'>;
  readonly #failures: Counter<'code'>;
  readonly #store: Histogram;

  constructor({ connections, calls, rooms, services, loopDelay }: Sources) {
    const registers = [this.#registry];
    const open = new Gauge({
      name: 'ringback_connections',
      help: 'Open websockets.',
      registers: [],
      collect() {
        this.set(connections());
      },
    });
    const live = new Gauge({
      name: 'ringback_calls',
      help: 'Live calls, by state.',
      labelNames: ['state'],
      registers: [],
      collect() {
        const all = calls();
        for (const state of CALL_STATES) this.set({ state }, all.filter((call) => call.state === state).length);
      },
    });
    const late = new Gauge({
      name: 'ringback_event_loop_delay_seconds',
      help: 'How late the event loop ran in the last ten seconds or more.',
      labelNames: ['quantile'],
      registers: [],
      collect() {
        const { p99Ms, maxMs } = loopDelay();
        this.set({ quantile: '0.99' }, p99Ms / 1_000);
        this.set({ quantile: '1' }, maxMs / 1_000);
      },
    });
    const entered = new Gauge({
      name: 'ringback_rooms',
      help: 'Rooms with participants.',
      registers: [],
      collect() {
        this.set(rooms().length);
      },
    });
    const participants = new Gauge({
      name: 'ringback_room_participants',
      help: 'Participants of rooms.',
      registers: [],
      collect() {
        this.set(rooms().reduce((sum, room) => sum + room.participants, 0));
      },
    });
    const up = new Gauge({
      name: 'ringback_service_up',
      help: '1 when the last check of a service succeeded, else 0.',
      labelNames: ['service'],
      registers: [],
      collect() {
        for (const [service, state] of services()) this.set({ service }, state === 'ok' ? 1 : 0);
      },
    });
    const memory = new Gauge({
      name: 'ringback_memory_bytes',
      help: 'Memory of the process: all of it, and the used heap.',
      labelNames: ['kind'],
      registers: [],
      collect() {
        const { rss, heapUsed } = process.memoryUsage();
        this.set({ kind: 'resident' }, rss);
        this.set({ kind: 'heap' }, heapUsed);
      },
    });
    const processor = new Counter({
      name: 'ringback_processor_seconds_total',
      help: 'Processor time of the process.',
      registers: [],
      collect() {
        const { user, system } = process.cpuUsage();
        this.reset();
        this.inc((user + system) / 1e6);
      },
    });
    for (const metric of [open, live, late, entered, participants, up, memory, processor])
      this.#registry.registerMetric<string>(metric);
    this.#setUps = new Counter({
      name: 'ringback_call_setups_total',
      help: 'Calls in which both sides received media.',
      registers,
    });
    this.#ended = new Counter({
      name: 'ringback_calls_ended_total',
      help: 'Calls that ended, by result.',
      labelNames: ['result'],
      registers,
    });
    this.#failures = new Counter({
      name: 'ringback_failures_total',
      help: 'Requests and commands that were refused or failed, by code.',
      labelNames: ['code'],
      registers,
    });
    this.#store = new Histogram({
      name: 'ringback_store_seconds',
      help: 'Duration of a statement of the database.',
      buckets: STORE_BUCKETS,
      registers,
    });
  }

  onCall(event: CallEvent): void {
    if (event.kind === 'connected') this.#setUps.inc();
    if (event.kind === 'ended') this.#ended.inc({ result: event.record.endResult });
  }

  /**
   * Counts a refusal or a failure. @param code - one of the server's codes: clients do not choose it, so the number
   * of series is limited.
   */
  failed(code: string): void {
    this.#failures.inc({ code });
  }

  /** Records the duration of a statement. @param ms - milliseconds. */
  stored(ms: number): void {
    this.#store.observe(ms / 1_000);
  }

  get mediaType(): string {
    return this.#registry.contentType;
  }

  text(): Promise<string> {
    return this.#registry.metrics();
  }
}
