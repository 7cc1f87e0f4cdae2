import { nodeClock } from '../../sim/server/node-ports.ts';
import { writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { readScenario } from '../../sim/scenario/format/read-scenario.ts';
import { inferScenario, inferredText } from '../../sim/scenario/infer/infer-scenario.ts';
import { runScenario } from '../../sim/scenario/run/run-scenario.ts';
import { virtualWorld } from '../../sim/scenario/virtual/virtual-world.ts';
import type { TraceEvent } from '../../src/trace/events.ts';
import { counted } from './news.ts';

export interface WrittenScenario {
  readonly steps: number;
  /** The parts of the trace that a scenario cannot express. */
  readonly notes: readonly string[];
  /** Why the scenario fails in virtual time. Absent when it holds. */
  readonly failure?: string;
}

/** Writes the scenario of a trace, and runs it. Returns undefined when the trace has no call. */
export async function writeScenario(
  trace: Iterable<TraceEvent>,
  file: string,
  elapsedMs: number,
): Promise<WrittenScenario | undefined> {
  const inferred = inferScenario(trace);
  if (inferred.calls === 0) return undefined;
  const name =
    basename(file)
      .replace(/\.ya?ml$/i, '')
      .replaceAll(/[^\w-]+/g, '_') || 'capture';
  const who = Object.keys(inferred.actors).join(', ');
  const about = `Recorded: ${who}; ${counted(inferred.calls, 'call')} in ${Math.round(elapsedMs / 1_000)} s.`;
  const text = inferredText(inferred, `recorded/${name}`, about);
  writeFileSync(file, text, { flag: 'wx', mode: 0o600 });
  const scenario = readScenario(file, text);
  const [result] = await runScenario(scenario, {
    name: 'virtual',
    world: virtualWorld,
    stopwatch: nodeClock.now,
  });
  const failure = result?.failure;
  return {
    steps: scenario.steps.length,
    notes: inferred.notes,
    ...(failure ? { failure: `${failure.place ? `${file}:${failure.place.line}: ` : ''}${failure.message}` } : {}),
  };
}
