/** Reads the JSON report of a run, and the traces beside it. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as v from 'valibot';
import { CommandError } from '../command-error.ts';
import { EXIT } from '../exit-codes.ts';
import { REPORT_FILES } from '../reporters/suite/choose-reporters.ts';
import { JSON_VERSION } from '../reporters/suite/json.ts';
import { nameOf, type SuiteResult } from '../reporters/suite/suite-reporter.ts';
import { tracePathOf } from './keep-trace.ts';
import { openTrace } from './open-trace.ts';

/** The largest report, in bytes: about 200,000 cases. */
const LARGEST = 128 * 1024 * 1024;

const failure = v.object({
  place: v.optional(v.object({ file: v.string(), line: v.number(), column: v.number() })),
  message: v.string(),
});

const row = v.object({
  scenario: v.string(),
  case: v.optional(v.string()),
  file: v.string(),
  seed: v.number(),
  isRepeated: v.optional(v.boolean()),
  state: v.picklist(['passed', 'failed', 'inconclusive', 'skipped']),
  failure: v.optional(failure),
  late: v.optional(v.object({ what: v.string(), dueMs: v.number(), doneMs: v.number(), allowedMs: v.number() })),
  skipped: v.optional(v.string()),
  flaky: v.optional(v.array(failure)),
  proves: v.array(v.string()),
  wallMs: v.number(),
  simulatedMs: v.number(),
  messages: v.number(),
  timers: v.optional(v.record(v.string(), v.number())),
});

const report = v.object({
  version: v.literal(JSON_VERSION),
  world: v.string(),
  wallMs: v.number(),
  simulatedMs: v.number(),
  proves: v.array(v.string()),
  complete: v.boolean(),
  shard: v.optional(v.object({ part: v.number(), of: v.number() })),
  left: v.optional(v.object({ cases: v.number(), why: v.picklist(['interrupted', 'stopped after a failure']) })),
  unsteady: v.array(v.string()),
  results: v.array(row),
});

export interface KeptReport extends Omit<v.InferOutput<typeof report>, 'results'> {
  readonly path: string;
  readonly results: readonly SuiteResult[];
  /** The path of the kept trace of a case, by the case's title and seed. */
  readonly traces: ReadonlyMap<string, string>;
}

/**
 * Reads a report.
 *
 * @param named - a file, or the folder with its results.json.
 * @throws CommandError (usage) when it does not exist or has another format.
 */
export function readReport(named: string, { withTraces }: { readonly withTraces: boolean }): KeptReport {
  const isFolder = statSync(named, { throwIfNoEntry: false })?.isDirectory() ?? false;
  const path = isFolder ? join(named, REPORT_FILES.json) : named;
  const size = statSync(path, { throwIfNoEntry: false })?.size;
  if (size === undefined)
    throw usage(`There is no report at ${path}. "ringback run --reporter list,json" writes ${REPORT_FILES.json}.`);
  if (size > LARGEST) throw usage(`The report at ${path} is too large: ${LARGEST} bytes are the most.`);
  const read = v.safeParse(report, parsed(path));
  if (!read.success) {
    const [issue] = read.issues;
    const where = v.getDotPath(issue);
    throw usage(`${path} is not a report of "ringback run": ${where === null ? issue.message : `${where} is wrong`}.`);
  }
  const traces = new Map<string, string>();
  const results = read.output.results.map((one): SuiteResult => {
    const result = { ...(one as Omit<SuiteResult, 'trace'>), trace: [] };
    const file = tracePathOf(result, dirname(path));
    if (!existsSync(file)) return result;
    traces.set(nameOf({ ...result, isRepeated: true }), file);
    return withTraces ? { ...result, trace: openTrace(file).events } : result;
  });
  return { ...read.output, path, results, traces };
}

function parsed(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    throw usage(`${path} is not a report: it is no JSON, or a part of it.`);
  }
}

const usage = (message: string): CommandError => new CommandError(message, EXIT.usage);
