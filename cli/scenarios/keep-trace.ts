import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { CaseResult } from '../../sim/scenario/run/run-scenario.ts';
import { traceLine } from '../../sim/scenario/trace/masked-trace.ts';
import type { TraceRun } from '../../src/trace/events.ts';
import { readVersion } from '../version.ts';
import { writeResult } from './output-files.ts';

export interface TraceKeeping {
  readonly trace: 'on' | 'retain-on-failure' | 'off';
  /** When traces are kept, and where. */
  readonly out: string;
}

/** What names a trace. */
type TracedCase = Pick<CaseResult, 'scenario' | 'case' | 'seed'>;

/** The maximum length of a file name, in bytes. */
const LONGEST_NAME = 200;

/** Returns the events of a case as the lines of its file. */
export const traceText = ({ trace }: CaseResult): string => trace.map((event) => `${traceLine(event)}\n`).join('');

/** The names that a file name shows as they are: those of scenarios as paths, and those of cases. */
const PLAIN = { scenario: /^[A-Za-z\d-]+(?:\/[A-Za-z\d-]+)*$/, case: /^[\w-]+$/ };

/**
 * Returns the path of the trace of a case in a folder, like `direct_cancel.no-answer-1.ndjson`. Other cases have other
 * paths: a name that the file name cannot show as it is adds a hash of all names.
 */
export function tracePathOf({ scenario, case: one, seed }: TracedCase, folder: string): string {
  const shown = [scenario, ...(one === undefined ? [] : [one])].map((text) => text.replaceAll(/[^\w-]+/g, '_'));
  const name = `${shown.join('.')}-${seed}`;
  const isPlain = PLAIN.scenario.test(scenario) && (one === undefined || PLAIN.case.test(one));
  return join(folder, `${isPlain && name.length <= LONGEST_NAME ? name : hashed(name, [scenario, one, seed])}.ndjson`);
}

const hashed = (name: string, names: TracedCase[keyof TracedCase][]): string =>
  `${name.slice(0, LONGEST_NAME)}-${createHash('sha256').update(JSON.stringify(names)).digest('hex').slice(0, 8)}`;

/** Writes the trace of a case when it is to be kept. Returns its path. */
export function keepTrace(result: CaseResult, world: string, { trace, out }: TraceKeeping): string | undefined {
  const isWanted = trace === 'on' || (trace === 'retain-on-failure' && result.failure !== undefined);
  if (!isWanted || result.trace.length === 0) return undefined;
  const { scenario, case: one, file, seed, timers } = result;
  const path = tracePathOf(result, out);
  const run: TraceRun = {
    kind: 'run',
    scenario,
    ...(one === undefined ? {} : { case: one }),
    file,
    seed,
    world,
    version: readVersion(),
    ...(timers === undefined ? {} : { timers }),
  };
  writeResult(path, `${traceLine(run)}\n${traceText(result)}`);
  return path;
}
