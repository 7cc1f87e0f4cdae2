/** Reads a kept trace: the line that says which run it is of, and its events. */
import * as v from 'valibot';
import type { TraceEvent, TraceRun } from './trace.ts';

/** A line of a trace that is none. */
export class InvalidTrace extends Error {
  /** From 1. */
  readonly line: number;

  constructor(line: number) {
    super('this is no line of a trace');
    this.name = 'InvalidTrace';
    this.line = line;
  }
}

export interface KeptTrace {
  /** Absent from a trace that was not kept by a run of a scenario file. */
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
  timers: v.exactOptional(v.object({ alive: v.number(), ring: v.number(), connection: v.number(), grace: v.number() })),
});
/** What every event has; of what else each has, a reader takes what it finds. */
const event = v.looseObject({ kind: v.string(), at: v.number() });

/** @throws InvalidTrace with the first line that is none. */
export function readTrace(text: string): KeptTrace {
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
