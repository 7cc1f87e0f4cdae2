/** The invariants after any story of one call at several nodes. Each returns a message when it is broken. */
import type { TraceEvent } from '../../../src/trace/events.ts';
import { type Aftermath, firstOf, type Invariant, of } from '../invariants/aftermath.ts';
import { consistentLengths } from './call-invariants.ts';

/** The faults after which a call may have no record: the exchange has lost all that it knew of the call. */
const LOSES_CALLS = /how (?:forget-calls|wipe|down)/;

const mayBeLost = ({ trace }: Aftermath): boolean =>
  trace.some((event) => event.kind === 'fault' && LOSES_CALLS.test(event.what));

/** Faults that affect no device and no path of media, and after which the exchange still knows its calls. */
const OF_THE_CLUSTER = /^(?:node|bus|state how slow)/;

/** Returns whether a call had media, nodes broke and nothing else, and no user ended the call. */
export const mustGoOn = (trace: readonly TraceEvent[]): boolean =>
  trace.some((event) => event.kind === 'told' && event.name === 'onConnected') &&
  trace.every(
    (event) =>
      (event.kind !== 'fault' || (OF_THE_CLUSTER.test(event.what) && !LOSES_CALLS.test(event.what))) &&
      (event.kind !== 'step' || !/\.(?:end|decline|cancel)$/.test(event.text)),
  );

const resultsOf = (after: Aftermath): readonly unknown[] => {
  const results = after.read('server.results');
  return Array.isArray(results) ? results : [];
};

/** Returns the results of the call that the exchange sent to a device. */
const toldTo = (after: Aftermath, device: string): string[] =>
  of(after, 'message', device).flatMap(({ direction, payload, fate }) =>
    direction === 'down' && fate !== 'dropped' && hasResult(payload) ? [payload.end_result] : [],
  );

const hasResult = (payload: unknown): payload is { readonly end_result: string } =>
  typeof payload === 'object' && payload !== null && 'end_result' in payload && typeof payload.end_result === 'string';

const wasDialled = (after: Aftermath): boolean =>
  after.devices.some((device) =>
    of(after, 'message', device).some(
      ({ direction, cmd, error }) => direction === 'down' && cmd === 'dial_ack' && error === undefined,
    ),
  );

/**
 * Returns the number of calls for which a device may ring. Each story dials once. But the exchange may forget the call,
 * and the client repeats its dial at another node. No node knows of the first call then.
 */
function callsFor({ trace }: Aftermath, device: string): number {
  const forgotten = trace.findIndex((event) => event.kind === 'fault' && event.what.includes('how forget-calls'));
  const dialled = (events: readonly TraceEvent[]) =>
    events.flatMap((event) =>
      event.kind === 'message' && event.device === device && event.direction === 'down' && event.cmd === 'dial'
        ? [callIdOf(event.payload)]
        : [],
    );
  if (forgotten < 0) return 1;
  const before = new Set(dialled(trace.slice(0, forgotten)));
  const later = new Set(dialled(trace.slice(forgotten)).filter((callId) => !before.has(callId)));
  return Math.max(1, Math.min(1, before.size) + later.size);
}

const callIdOf = (payload: unknown): unknown =>
  typeof payload === 'object' && payload !== null && 'call_id' in payload ? payload.call_id : undefined;

/** A message and its answer through two nodes: a millisecond each way, on the bus too. Milliseconds. */
const ROUND_TRIP_MS = 8;

export const CLUSTER_INVARIANTS: Readonly<Record<string, Invariant>> = {
  I8: (after) => consistentLengths(after, ROUND_TRIP_MS),
  /** The exchange accepts one summary of each leg. A request that a node did not answer is repeated. */
  I10: (after) =>
    firstOf(after, (device) => {
      const accepted = of(after, 'http', device).filter(
        ({ direction, request, status }) => direction === 'down' && request.endsWith('/summary') && status === 200,
      );
      return accepted.length > 1 ? `${accepted.length} summaries were accepted` : undefined;
    }),
  /** A device rings once for one call. */
  I14: (after) =>
    firstOf(after, (device) => {
      const rings = of(after, 'told', device).filter(({ name }) => name === 'onRinging').length;
      return rings > callsFor(after, device) ? `rang ${rings} times` : undefined;
    }),
  /** No node has a call when all calls are over. */
  I26: (after) => {
    const owners = after.read('server.owners');
    return Array.isArray(owners) && owners.length > 0 ? `nodes with a call: ${owners.join(', ')}` : undefined;
  },
  /** A dialled call has one record. It equals what the exchange told the devices. */
  I27: (after) => {
    const results = resultsOf(after);
    if (results.length === 0 && wasDialled(after) && !mayBeLost(after)) return 'a dialled call has no record';
    if (results.length > 1) return `one call has the results ${results.join(', ')}`;
    return firstOf(after, (device) => {
      const wrong = toldTo(after, device).find((told) => !results.includes(told));
      return wrong === undefined ? undefined : `was told ${wrong}, and the record has ${results.join() || 'nothing'}`;
    });
  },
  /** A side learns that the exchange does not know its call only when the exchange has lost its calls. */
  I28: (after) => {
    if (mayBeLost(after)) return undefined;
    return firstOf(after, (device) =>
      after.read(`${device}.call.result`) === 'unknown' ? 'the exchange did not know its call' : undefined,
    );
  },
};
