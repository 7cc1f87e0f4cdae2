/** The direct calls of a trace, and the call to which each message belongs. */
import type { HttpEvent, MessageEvent, TraceEvent } from './events.ts';

/** The users of a call. Absent where the trace does not name them. */
interface TraceCall {
  readonly caller?: string;
  readonly callee?: string;
}

export interface TraceCalls {
  /** The calls by their ids, in the order in which they began. */
  readonly all: ReadonlyMap<string, TraceCall>;
  /** Returns the number of the call of a message or a request, from 1. Undefined for one without a call. */
  numberOf(event: MessageEvent | HttpEvent): number | undefined;
}

/** Returns the calls of a trace. */
export function callsOf(trace: readonly TraceEvent[]): TraceCalls {
  const all = new Map<string, TraceCall>();
  const ids = new Map<TraceEvent, string>();
  for (const [at, event] of trace.entries()) {
    if (event.kind !== 'message' && event.kind !== 'http') continue;
    const id = idIn(event) ?? (isDial(event) ? idOfAnswer(trace, at, event) : undefined);
    if (id === undefined) continue;
    ids.set(event, id);
    all.set(id, { ...usersIn(event), ...all.get(id) });
  }
  const numbers = new Map([...all.keys()].map((id, at) => [id, at + 1]));
  return { all, numberOf: (event) => numbers.get(ids.get(event) ?? '') };
}

/** The most calls that the words name. */
const NAMED = 9;

/** Returns the calls in words: `#1 alice to bob, #2 carol to bob`. */
export function callWords({ all }: TraceCalls): string {
  const words = [...all.values()]
    .slice(0, NAMED)
    .map(({ caller, callee }, at) => `#${at + 1}${caller && callee ? ` ${caller} to ${callee}` : ''}`);
  return `${words.join(', ')}${all.size > NAMED ? ` and ${all.size - NAMED} more` : ''}`;
}

const valueAt = (value: unknown, ...path: readonly string[]): string | undefined => {
  let at = value;
  for (const key of path) at = typeof at === 'object' && at !== null ? (at as Record<string, unknown>)[key] : undefined;
  return typeof at === 'string' ? at : undefined;
};

/** Returns the id that a message, or a request by its body or its path, has. */
function idIn(event: MessageEvent | HttpEvent): string | undefined {
  if (event.kind === 'message') return valueAt(event.payload, 'call_id');
  return valueAt(event.body, 'payload', 'call_id') ?? /\/direct_calls\/([^/?]+)\//.exec(event.request)?.[1];
}

function usersIn(event: MessageEvent | HttpEvent): TraceCall {
  if (event.kind === 'http') return {};
  const caller = valueAt(event.payload, 'caller', 'user_id');
  const callee = valueAt(event.payload, 'callee', 'user_id');
  return { ...(caller === undefined ? {} : { caller }), ...(callee === undefined ? {} : { callee }) };
}

const isDial = (event: TraceEvent): event is MessageEvent =>
  event.kind === 'message' && event.direction === 'up' && event.cmd === 'dial';

/** Returns the id in the first answer to a dial: the caller does not know it before. Undefined for a refused dial. */
function idOfAnswer(trace: readonly TraceEvent[], from: number, dial: MessageEvent): string | undefined {
  const callee = valueAt(dial.payload, 'callee_id');
  const isAnswer = (event: TraceEvent): event is MessageEvent => {
    if (event.kind !== 'message' || event.direction !== 'down' || event.cmd !== 'dial_ack') return false;
    return event.device === dial.device && (event.error !== undefined || usersIn(event).callee === callee);
  };
  const answer = trace.slice(from).find(isAnswer);
  return answer && idIn(answer);
}
