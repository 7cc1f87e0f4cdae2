/** The probes for a supervisor: `/healthz`, `/readyz` and `/metrics`. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isLoopback } from '../allowed-hosts.ts';
import type { HttpResponse } from '../../http/request.ts';
import { targetOf } from '../target.ts';
import type { LoopDelay } from './event-loop-delay.ts';
import type { Metrics } from './metrics.ts';

/** The phase of the server. A supervisor sends new clients only to a ready one. */
export type Phase = 'starting' | 'ready' | 'draining' | 'stopped';

interface Outside {
  readonly phase: () => Phase;
  /** Sends the database a trivial statement. Rejects when it does not answer. */
  readonly askDatabase: () => Promise<unknown>;
  readonly loopDelay: () => LoopDelay;
  readonly metrics: Pick<Metrics, 'text' | 'mediaType'>;
  /** The bearer token that permits reading the metrics. Default: only clients of this machine may read them. */
  readonly metricsToken?: string;
  readonly monotonic: () => number;
}

/** The least interval between two checks of the database, however often the server is probed. Milliseconds. */
const ASKED_EVERY_MS = 1_000;
/** The time limit for the database's answer. Milliseconds. */
const DATABASE_MS = 2_000;
const HEADERS = { 'cache-control': 'no-store' };

/**
 * Creates the answers to probes; they return undefined for any other request. They ignore the Host header, since a
 * supervisor sends requests by address, and they contain nothing about users.
 */
export function createProbes(outside: Outside): (request: IncomingMessage) => Promise<HttpResponse> | undefined {
  const { phase, metrics } = outside;
  let asked = -Infinity;
  let database: Promise<'ok' | 'failing'> = Promise.resolve('failing');
  const databaseState = (): Promise<'ok' | 'failing'> => {
    const now = outside.monotonic();
    if (now - asked >= ASKED_EVERY_MS) {
      asked = now;
      database = inTime(outside.askDatabase());
    }
    return database;
  };
  return (request) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return undefined;
    switch (targetOf(request).path) {
      case '/healthz':
        return (async () => {
          const { p99Ms, maxMs } = outside.loopDelay();
          const body = {
            status: 'ok',
            database: await databaseState(),
            event_loop_delay_ms: { p99: p99Ms, max: maxMs },
          };
          return { status: 200, body, headers: HEADERS };
        })();
      case '/readyz':
        return Promise.resolve({
          status: phase() === 'ready' ? 200 : 503,
          body: { status: phase() },
          headers: HEADERS,
        });
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

/**
 * Returns whether the client may read the metrics. Without a token only a client of this machine that came through no
 * proxy may.
 */
function mayRead({ headers, socket }: IncomingMessage, token: string | undefined): boolean {
  if (token !== undefined) return isSame(headers.authorization ?? '', `Bearer ${token}`);
  const isForwarded = ['forwarded', 'x-forwarded-for', 'via'].some((name) => headers[name] !== undefined);
  const address = (socket.remoteAddress ?? '').replace(/^::ffff:/, '');
  const host = (headers.host ?? '').replace(/:\d+$/, '');
  return !isForwarded && isLoopback(address) && isLoopback(host);
}

const hashOf = (text: string): Buffer => createHash('sha256').update(text).digest();
const isSame = (given: string, right: string): boolean => timingSafeEqual(hashOf(given), hashOf(right));

async function inTime(answer: Promise<unknown>): Promise<'ok' | 'failing'> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'failing'>((resolve) => {
    timer = setTimeout(() => resolve('failing'), DATABASE_MS);
  });
  try {
    return await Promise.race([answer.then(() => 'ok' as const), late]);
  } catch {
    return 'failing';
  } finally {
    clearTimeout(timer);
  }
}
