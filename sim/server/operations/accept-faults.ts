import type { Server } from 'node:http';
import type { Log } from '../../exchange/logging/log.ts';
import type { Clock } from '../../exchange/ports.ts';

/** A fault that lasts is logged once in so long: each refused connection brings one. Milliseconds. */
const AGAIN_MS = 10_000;
const TOO_MANY_FILES = ['EMFILE', 'ENFILE'];

/** Logs connections that the system does not give to the server. Without a listener the first of them would end the process. */
export function logAcceptFaults(server: Server, log: Pick<Log, 'error'>, clock: Pick<Clock, 'monotonic'>): void {
  let loggedAt = -Infinity;
  server.on('error', (error: NodeJS.ErrnoException) => {
    const now = clock.monotonic();
    if (now - loggedAt < AGAIN_MS) return;
    loggedAt = now;
    const isFull = TOO_MANY_FILES.includes(error.code ?? '');
    log.error(
      isFull
        ? 'connections are refused: the process has as many files open as it may; raise its limit (ulimit -n)'
        : 'a connection could not be taken',
      { error },
    );
  });
}
