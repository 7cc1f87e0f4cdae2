/** What tells a supervisor about the server: `/healthz`, `/readyz` and `/metrics`. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isLoopback } from '../allowed-hosts.ts';
import type { Answer } from '../http-server.ts';
import { targetOf } from '../target.ts';
import type { LoopDelay } from './event-loop-delay.ts';
import type { Metrics } from './metrics.ts';

/** Where the server stands: only a ready one is to be sent new clients. */
export type Phase = 'starting' | 'ready' | 'draining' | 'stopped';

interface Outside {
  readonly phase: () => Phase;
  /** Asks the database for anything; rejects where it does not answer. */
  readonly askDatabase: () => Promise<unknown>;
  readonly loopDelay: () => LoopDelay;
  readonly metrics: Pick<Metrics, 'text' | 'mediaType'>;
  /** Who has it as a bearer token may read the metrics. Default: clients of this machine alone. */
  readonly metricsToken?: string;
  readonly monotonic: () => number;
}

/** The database is asked this often at most, however often the server is. Milliseconds. */
const ASKED_EVERY_MS = 1_000;
/** A database that takes longer does not answer. Milliseconds. */
const DATABASE_MS = 2_000;
const HEADERS = { 'cache-control': 'no-store' };

/**
 * Makes the answers to probes; undefined for any other request. They are given whatever the Host header says, since a supervisor
 * asks by address, and they say nothing about users.
 */
export function createProbes(outside: Outside): (request: IncomingMessage) => Promise<Answer> | undefined {
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
          return Promise.resolve({ status: 403, body: { code: 403, message: 'Metrics are not for this client.' } });
        }
        return metrics.text().then((body) => ({ status: 200, body, mediaType: metrics.mediaType, headers: HEADERS }));
      default:
        return undefined;
    }
  };
}

/** Without a token only a client of this machine that came through no proxy may read them. */
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
