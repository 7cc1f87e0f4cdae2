/** Traces without secrets and addresses, as files have them. */
import type { TraceEvent, TraceRun } from '../../../src/trace/events.ts';
import { maskValue } from '../../exchange/logging/log.ts';

/** Returns one line of the file: masked, with its keys in the order in which they were written. */
export const traceLine = (event: TraceEvent | TraceRun): string => JSON.stringify(maskValue(event));

/** Returns the events as in a file: without secrets and addresses. Masking twice has no further effect. */
export const maskedTrace = (trace: readonly TraceEvent[]): TraceEvent[] =>
  trace.map((event) => maskValue(event) as TraceEvent);
