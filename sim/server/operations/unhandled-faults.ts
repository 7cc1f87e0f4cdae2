import type { Log } from '../../exchange/logging/log.ts';
import type { Server } from 'node:http';
import type { Clock } from '../../../src/common/clock.ts';

const EVENTS = ['uncaughtException', 'unhandledRejection'] as const;

/**
 * Catches exceptions outside of every handler, and rejections that no code awaits. The state of the process is
 * unknown then: the first one is logged and the server drains. Later ones are logged.
 * @param drain - stops the server in an orderly way; called once.
 * @returns the undo.
 */
export function catchTheRest(log: Pick<Log, 'error'>, drain: () => void): () => void {
  let isDraining = false;
  const listener = (error: unknown): void => {
    log.error('an exception was not handled: the server drains', { error });
    if (isDraining) return;
    isDraining = true;
    drain();
  };
  for (const event of EVENTS) process.on(event, listener);
  return () => {
    for (const event of EVENTS) process.off(event, listener);
  };
}

/** The interval at which a fault that lasts is logged again: each refused connection reports it. Milliseconds. */
const AGAIN_MS = 10_000;
const TOO_MANY_FILES = ['EMFILE', 'ENFILE'];

/**
 * Logs connections that the system does not give to the server. Without a listener the first of them would end the
 * process.
 */
export function logAcceptFaults(server: Server, log: Pick<Log, 'error'>, clock: Pick<Clock, 'now'>): void {
  let loggedAt = -Infinity;
  server.on('error', (error: NodeJS.ErrnoException) => {
    const now = clock.now();
    if (now - loggedAt < AGAIN_MS) return;
    loggedAt = now;
    const isFull = TOO_MANY_FILES.includes(error.code ?? '');
    log.error(
      isFull
        ? 'connections are refused: the process has reached its limit of open files; raise it (ulimit -n)'
        : 'a connection could not be accepted',
      { error },
    );
  });
}
