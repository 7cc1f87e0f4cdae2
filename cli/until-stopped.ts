import { Log } from '../sim/exchange/logging/log.ts';
import type { LogSink } from '../sim/exchange/ports.ts';
import { nodeClock } from '../sim/server/node-ports.ts';
import { catchTheRest } from '../sim/server/operations/unhandled-faults.ts';
import { EXIT } from './exit-codes.ts';
import { onInterrupt } from './interrupt.ts';

/**
 * Waits until a server must stop. Resolves with the exit code: 0 after Ctrl-C or SIGTERM, 70 after an unhandled
 * exception,
 * which is logged. A second signal, while the server stops, ends the process at once.
 */
export function untilStopped(sink: LogSink): Promise<number> {
  return new Promise((resolve) => {
    onInterrupt((count) => {
      if (count === 1) resolve(EXIT.ok);
      else process.exit(EXIT.interrupted);
    });
    catchTheRest(new Log(sink, nodeClock), () => resolve(EXIT.internal));
  });
}
