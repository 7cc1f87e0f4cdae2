/** The probes for a supervisor: `/healthz`, `/readyz` and `/metrics`. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { HttpResponse } from '../../http/request.ts';
import { targetOf } from '../target.ts';
import type { LoopDelay } from './event-loop-delay.ts';
import { isFromThisMachine } from './local-request.ts';
import type { Metrics } from './metrics.ts';
import type { ServiceChecks } from './service-checks.ts';

/** The phase of the server. A supervisor sends new clients only to a ready one. */
export type Phase = 'starting' | 'ready' | 'draining' | 'stopped';

/** What a server says about itself. */
export interface AboutServer {
  /** The version of the tools. */
  readonly version: string;
  /** The length of a session, milliseconds. */
  readonly sessionMs: number;
}

interface Outside {
  readonly phase: () => Phase;
  readonly services: Pick<ServiceChecks, 'states'>;
  readonly loopDelay: () => LoopDelay;
  readonly about: AboutServer;
  readonly metrics: Pick<Metrics, 'text' | 'mediaType'>;
  /** The bearer token that permits reading the metrics. Default: only clients of this machine may read them. */
  readonly metricsToken?: string;
}

const HEADERS = { 'cache-control': 'no-store' };

/**
 * Creates the answers to probes; they return undefined for any other request. They ignore the Host header, since a
 * supervisor sends requests by address, and they contain nothing about users.
 */
export function createProbes(outside: Outside): (request: IncomingMessage) => Promise<HttpResponse> | undefined {
  const { services, metrics } = outside;
  return (request) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return undefined;
    switch (targetOf(request).path) {
      case '/healthz':
        return (async () => {
          const { p99Ms, maxMs } = outside.loopDelay();
          const body = {
            status: 'ok',
            ...Object.fromEntries(await services.states()),
            event_loop_delay_ms: { p99: p99Ms, max: maxMs },
            version: outside.about.version,
            session_s: outside.about.sessionMs / 1_000,
          };
          return { status: 200, body, headers: HEADERS };
        })();
      case '/readyz':
        return readiness(outside);
      case '/metrics':
        if (!mayRead(request, outside.metricsToken)) {
          return Promise.resolve({
            status: 403,
            body: { code: 403, message: 'This client may not read the metrics.' },
          });
        }
        return metrics.text().then((body) => ({ status: 200, body, mediaType: metrics.mediaType, headers: HEADERS }));
      default:
        return undefined;
    }
  };
}

/** Returns whether the balancer may send new clients: the server is ready, and so is each service that it needs. */
async function readiness({ phase, services }: Pick<Outside, 'phase' | 'services'>): Promise<HttpResponse> {
  if (phase() !== 'ready') return { status: 503, body: { status: phase() }, headers: HEADERS };
  const failing = [...(await services.states())].flatMap(([name, state]) => (state === 'ok' ? [] : [name]));
  if (failing.length > 0) return { status: 503, body: { status: 'failing', failing }, headers: HEADERS };
  return { status: 200, body: { status: 'ready' }, headers: HEADERS };
}

/**
 * Returns whether the client may read the metrics. Without a token only a client of this machine that came through no
 * proxy may.
 */
function mayRead(request: IncomingMessage, token: string | undefined): boolean {
  if (token !== undefined) return isSame(request.headers.authorization ?? '', `Bearer ${token}`);
  return isFromThisMachine(request);
}

const hashOf = (text: string): Buffer => createHash('sha256').update(text).digest();
const isSame = (given: string, right: string): boolean => timingSafeEqual(hashOf(given), hashOf(right));
