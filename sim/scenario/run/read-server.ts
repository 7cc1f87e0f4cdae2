import type { EndRecord } from '../../exchange/calls/call.ts';
import type { TraceEvent } from '../../../src/trace/events.ts';

/** The state of an exchange: its live calls, its devices, and the results of ended calls. */
export interface SeenServer {
  readonly liveCalls: readonly unknown[];
  readonly deviceCount: number;
  readonly records: readonly Pick<EndRecord, 'endResult' | 'duration'>[];
}

/** Returns a value of the exchange, by the word behind `server`. */
export function readServer(what: string | undefined, exchange: SeenServer, trace: readonly TraceEvent[]): unknown {
  switch (what) {
    case 'calls':
      return exchange.liveCalls.length;
    case 'devices':
      return exchange.deviceCount;
    case 'results':
      return exchange.records.map(({ endResult }) => endResult);
    case 'durations':
      return exchange.records.map(({ duration }) => duration);
    case 'summaries':
      return trace.filter(
        (event) => event.kind === 'http' && event.direction === 'up' && event.request.endsWith('/summary'),
      ).length;
    default:
      return undefined;
  }
}
