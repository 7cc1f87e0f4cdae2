import { ErrorCode } from '../../../src/protocol/errors.ts';
import { performance } from 'node:perf_hooks';
import { callEvents } from '../../exchange/events.ts';
import type { Shown } from './admin.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import type { Log } from '../../exchange/logging/log.ts';
import type { Clock } from '../../../src/common/clock.ts';
import type { HttpResponse } from '../../http/request.ts';
import { isDatabaseLost } from '../../store/lost-database.ts';
import type { HttpEdge } from '../http-server.ts';
import type { Websockets } from '../websockets.ts';
import { EventLoopDelay } from './event-loop-delay.ts';
import { Metrics } from './metrics.ts';
import { Overload } from './overload.ts';
import { type AboutServer, createProbes, type Phase } from './probes.ts';
import { type Service, ServiceChecks, type ServiceName } from './service-checks.ts';
import { UnderWay } from './under-way.ts';

/** What the metrics and probes of a ready server read. */
interface Served {
  readonly exchange: Pick<Exchange, 'liveCalls' | 'liveRooms' | 'subscribe'> & Shown['exchange'];
  readonly notifiedOf: Shown['notifiedOf'];
  readonly websockets: Pick<Websockets, 'count' | 'longestWait'>;
  /** What the server needs, besides itself. */
  readonly services: readonly Service[];
}

interface OperationsOptions {
  readonly clock: Pick<Clock, 'now' | 'after' | 'every'>;
  readonly log: Pick<Log, 'error' | 'info'>;
  readonly metricsToken?: string;
  readonly about: AboutServer;
}

/** The services without which the server cannot store. */
const STORES = ['database', 'redis'] as const;

/** The view that an operator has of one server: its phase, its probes, its metrics and the requests under way. */
export class Operations {
  phase: Phase = 'starting';
  readonly metrics: Metrics;
  readonly requests = new UnderWay();
  /** Answers probes, from the moment the server listens. */
  readonly probe: NonNullable<HttpEdge['probe']>;
  readonly #delay = new EventLoopDelay();
  readonly #services: ServiceChecks;
  #overload: Overload | null = null;
  readonly #startOverload: () => Overload;
  #served: Served | null = null;

  constructor({ clock, log, metricsToken, about }: OperationsOptions) {
    this.#services = new ServiceChecks({ clock, log });
    this.#startOverload = () =>
      new Overload({
        clock,
        utilization: sinceLastCall(),
        longestWait: () => this.#served?.websockets.longestWait() ?? 0,
        onChange: (isOverloaded) =>
          isOverloaded
            ? log.error('the server is above its maximum rate: it refuses new calls')
            : log.info('the server accepts new calls again'),
      });
    const loopDelay = () => this.#delay.read();
    this.metrics = new Metrics({
      connections: () => this.#served?.websockets.count ?? 0,
      calls: () => this.#served?.exchange.liveCalls ?? [],
      rooms: () => this.#served?.exchange.liveRooms ?? [],
      services: () => this.#services.last,
      loopDelay,
    });
    this.probe = createProbes({
      phase: () => this.phase,
      services: this.#services,
      loopDelay,
      about,
      metrics: this.metrics,
      ...(metricsToken === undefined ? {} : { metricsToken }),
    });
  }

  /** Marks the server as ready for clients. */
  ready(served: Served): void {
    this.#served = served;
    served.exchange.subscribe(callEvents((event) => this.metrics.onCall(event)));
    for (const service of served.services) this.#services.add(service);
    this.#services.watch();
    this.#overload ??= this.#startOverload();
    this.phase = 'ready';
  }

  /** The parts of a ready server that its views show. Null before. */
  get shown(): Shown | null {
    return this.#served;
  }

  /** Counts the commands that this exchange refuses. */
  countRefusals(exchange: Pick<Exchange, 'subscribe'>): void {
    exchange.subscribe((event) => {
      if (event.kind === 'refused') this.metrics.failed(String(event.code));
    });
  }

  /** Returns the answer to a request that failed since a service that stores something is down. Null for another fault. */
  async explain(error: unknown): Promise<HttpResponse | null> {
    // The database may have stopped since its last check, or be back already.
    const name = isDatabaseLost(error) ? 'database' : await this.#failingStore();
    if (name === undefined) return null;
    const message = `The server cannot reach its ${name}. Try again.`;
    const headers = { 'retry-after': '5' };
    return { status: 503, body: { code: ErrorCode.ERR_SERVER_INTERNAL_ERROR, message }, headers };
  }

  async #failingStore(): Promise<ServiceName | undefined> {
    const states = await this.#services.states();
    return STORES.find((one) => states.get(one) === 'failing');
  }

  /** Counts an answer that is a refusal or a failure. */
  failed(answer: Pick<HttpResponse, 'status' | 'body'>): void {
    this.metrics.failed(codeOf(answer));
  }

  /** Whether the server is above its maximum rate. */
  get isOverloaded(): boolean {
    return this.#overload?.isOverloaded ?? false;
  }

  /** Stops measuring. */
  dispose(): void {
    this.phase = 'stopped';
    this.#services.dispose();
    this.#delay.stop();
    this.#overload?.dispose();
  }
}

/** Returns the function that measures in which share of the time since its last call the event loop worked. */
function sinceLastCall(): () => number {
  let last = performance.eventLoopUtilization();
  return () => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, last);
    last = now;
    return utilization;
  };
}

/** Returns the code of a refusal, by which it is counted, or its status if it has none. */
function codeOf({ status, body }: Pick<HttpResponse, 'status' | 'body'>): string {
  const code = typeof body === 'object' && body !== null && 'code' in body ? body.code : undefined;
  return typeof code === 'string' || typeof code === 'number' ? String(code) : String(status);
}
