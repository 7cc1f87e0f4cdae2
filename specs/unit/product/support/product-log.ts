import { Log } from '../../../../sim/exchange/logging/log.ts';
import type { LogSink } from '../../../../sim/exchange/ports.ts';
import { UNDECLARED } from '../../../../sim/product/router.ts';
import type { Clock } from '../../../../src/common/clock.ts';

/** A log of the product that fails the request whose handler refuses with a code that the documents do not list. */
export const productLog = (sink: LogSink, clock: Pick<Clock, 'wallTime'>): Log =>
  new Log((entry) => {
    if (entry.message === UNDECLARED) throw new Error(`${UNDECLARED}: ${JSON.stringify(entry.fields)}`);
    sink(entry);
  }, clock);
