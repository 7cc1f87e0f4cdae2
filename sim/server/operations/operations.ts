import { callEvents } from '../../exchange/events.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import type { Clock } from '../../../src/common/clock.ts';
import type { HttpResponse } from '../../http/request.ts';
import type { HttpEdge } from '../http-server.ts';
import type { Websockets } from '../websockets.ts';
import { EventLoopDelay } from './event-loop-delay.ts';
import { Metrics } from './metrics.ts';
import { createProbes, type Phase } from './probes.ts';
import { UnderWay } from './under-way.ts';

/** What the metrics and probes of a ready server read. */
interface Served {
  readonly exchange: Pick<Exchange, 'liveCalls' | 'liveRooms' | 'subscribe'>;
  readonly websockets: Pick<Websockets, 'count'>;
  /** Sends the database a trivial statement. Rejects when it does not answer. */
  readonly askDatabase: () => Promise<unknown>;
}

interface OperationsOptions {
  readonly clock: Pick<Clock, 'now'>;
  readonly metricsToken?: string;
}

/** The view that an operator has of one server: its phase, its probes, its metrics and the requests under way. */
export class Operations {
  phase: Phase = 'starting';
  readonly metrics: Metrics;
  readonly requests = new UnderWay();
  /** Answers probes, from the moment the server listens. */
  readonly probe: NonNullable<HttpEdge['probe']>;
  readonly #delay = new EventLoopDelay();
  #served: Served | null = null;

  constructor({ clock, metricsToken }: OperationsOptions) {
    const loopDelay = () => this.#delay.read();
    this.metrics = new Metrics({
      connections: () => this.#served?.websockets.count ?? 0,
      calls: () => this.#served?.exchange.liveCalls ?? [],
      rooms: () => this.#served?.exchange.liveRooms ?? [],
      loopDelay,
    });
    this.probe = createProbes({
      phase: () => this.phase,
      askDatabase: () => this.#served?.askDatabase() ?? Promise.reject(new Error('The server is starting.')),
      loopDelay,
      metrics: this.metrics,
      monotonic: () => clock.now(),
      ...(metricsToken === undefined ? {} : { metricsToken }),
    });
  }

  /** Marks the server as ready for clients. */
  ready(served: Served): void {
    this.#served = served;
    served.exchange.subscribe(callEvents((event) => this.metrics.onCall(event)));
    this.phase = 'ready';
  }

  /** Counts the commands that this exchange refuses. */
  countRefusals(exchange: Pick<Exchange, 'subscribe'>): void {
    exchange.subscribe((event) => {
      if (event.kind === 'refused') this.metrics.failed(String(event.code));
    });
  }

  /** Counts an answer that is a refusal or a failure. */
  failed(answer: Pick<HttpResponse, 'status' | 'body'>): void {
    this.metrics.failed(codeOf(answer));
  }

  /** Stops measuring. */
  dispose(): void {
    this.phase = 'stopped';
    this.#delay.stop();
  }
}

/** Returns the code of a refusal, by which it is counted, or its status if it has none. */
function codeOf({ status, body }: Pick<HttpResponse, 'status' | 'body'>): string {
  const code = typeof body === 'object' && body !== null && 'code' in body ? body.code : undefined;
  return typeof code === 'string' || typeof code === 'number' ? String(code) : String(status);
}
