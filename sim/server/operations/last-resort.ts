import type { Log } from '../../exchange/logging/log.ts';

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
