import type { Exchange } from '../../exchange/exchange.ts';
import type { TraceEvent } from '../trace/trace.ts';

/** What is to be seen of the exchange, by the word behind `server`. */
export function readServer(
  what: string | undefined,
  exchange: Pick<Exchange, 'liveCalls' | 'deviceCount' | 'records'>,
  trace: readonly TraceEvent[],
): unknown {
  switch (what) {
    case 'calls':
      return exchange.liveCalls.length;
    case 'devices':
      return exchange.deviceCount;
    case 'results':
      return exchange.records.map(({ endResult }) => endResult);
    case 'summaries':
      return trace.filter(
        (event) => event.kind === 'http' && event.direction === 'up' && event.request.endsWith('/summary'),
      ).length;
    default:
      return undefined;
  }
}
