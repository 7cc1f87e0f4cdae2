/** The reader of stored traces: the line that names the run, and its events. */
import * as v from 'valibot';
import type { TraceEvent, TraceRun } from './events.ts';
import type { TraceMachines } from './machines.ts';

/** The error of an invalid line of a trace. */
export class InvalidTrace extends Error {
  /** The line number, from 1. */
  readonly line: number;

  constructor(line: number) {
    super('this is not a line of a trace');
    this.name = 'InvalidTrace';
    this.line = line;
  }
}

export interface KeptTrace {
  /** Absent if no run of a scenario file wrote the trace. */
  readonly run?: TraceRun;
  readonly events: readonly TraceEvent[];
}

const run = v.object({
  kind: v.literal('run'),
  scenario: v.string(),
  case: v.exactOptional(v.string()),
  file: v.string(),
  seed: v.number(),
  world: v.string(),
  version: v.string(),
  timers: v.exactOptional(v.record(v.string(), v.number())),
});
const anywhere = { at: v.number() };
const somewhere = { ...anywhere, device: v.string() };
const moving = { ...somewhere, direction: v.picklist(['up', 'down']), fate: v.exactOptional(v.string()) };
const number = v.exactOptional(v.number());
/** Returns the schema of an event: the fields that pictures and exports need. Other fields stay. */
const eventOf = (machines: TraceMachines) =>
  v.variant('kind', [
    v.looseObject({ kind: v.literal('message'), ...moving, cmd: v.string(), error: number }),
    v.looseObject({ kind: v.literal('http'), ...moving, request: v.string(), status: number }),
    v.looseObject({
      ...{ kind: v.literal('socket'), ...somewhere },
      ...{ what: v.picklist(['open', 'close']), code: number, status: number },
    }),
    v.looseObject({
      ...{ kind: v.literal('state'), ...somewhere },
      ...{ machine: v.picklist(Object.keys(machines)), from: v.string(), to: v.string() },
    }),
    v.looseObject({ kind: v.literal('told'), ...somewhere, name: v.string() }),
    v.looseObject({ kind: v.literal('sound'), ...somewhere, what: v.picklist(['play', 'stop']), name: v.string() }),
    v.looseObject({ kind: v.literal('error'), ...somewhere, code: number, message: v.string() }),
    v.looseObject({ kind: v.literal('fault'), ...anywhere, what: v.string(), on: v.boolean() }),
    v.looseObject({ kind: v.literal('step'), ...anywhere, place: v.string(), text: v.string() }),
  ]);

/**
 * Reads a stored trace.
 *
 * @param machines - the machines that its moves may name.
 * @throws InvalidTrace with the first invalid line.
 */
export function readTrace(text: string, machines: TraceMachines): KeptTrace {
  const event = eventOf(machines);
  const events: TraceEvent[] = [];
  let head: TraceRun | undefined;
  for (const [index, line] of text.split('\n').entries()) {
    if (line === '') continue;
    const value = parsed(line);
    if (events.length === 0 && !head && v.is(run, value)) head = value;
    else if (v.is(event, value)) events.push(value as unknown as TraceEvent);
    else throw new InvalidTrace(index + 1);
  }
  return { ...(head ? { run: head } : {}), events };
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
