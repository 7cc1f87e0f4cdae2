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

/** Returns a file name. Cases that differ in more than separators get different files: `>= 3` and `<= 3`. */
function nameOf(text: string): string {
  const name = text.replaceAll(/[^\w-]+/g, '_');
  if (name.length <= LONGEST_NAME && !/[^\w\s,./-]/.test(text)) return name;
  return `${name.slice(0, LONGEST_NAME)}-${createHash('sha256').update(text).digest('hex').slice(0, 8)}`;
}

/** Returns the path of the trace of a case in a folder. */
export function tracePathOf({ scenario, case: one, seed }: TracedCase, folder: string): string {
  return join(folder, `${nameOf([scenario, one, seed].filter((part) => part !== undefined).join('-'))}.ndjson`);
}

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
