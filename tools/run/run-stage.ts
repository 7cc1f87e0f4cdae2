/** Runs one stage of `make test`: starts its command, follows its results, and stops it when it hangs. */
import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { followFile } from './follow-file.ts';
import { StageProgress } from './progress.ts';
import { readResultLine, RESULTS_FILE_VARIABLE, type TestResult } from './results.ts';
import { runCommand } from './run-command.ts';
import type { Stage } from './stages.ts';
import { stageResults } from './summary.ts';

/** The interval at which the results are read, in milliseconds. */
const LOOK_MS = 250;
/** The number of last output lines shown for a stage that failed without a failed test. */
const TAIL_LINES = 40;

export interface StageRun {
  readonly stage: Stage;
  readonly began: number;
  readonly progress: StageProgress;
}

export interface StageEnd {
  readonly results: readonly TestResult[];
  readonly ended: number;
}

export interface StageWatch {
  /** The folder of results and output. */
  readonly folder: string;
  /** Stops the stage when no test has ended for this long, milliseconds. */
  readonly idleLimitMs: number;
  /** Stops the stage from outside. The reason is a string. */
  readonly stop: AbortSignal;
  /** A monotonic clock, milliseconds. Default: that of the process. */
  readonly now?: () => number;
  /** Called once, when the stage has started. */
  started(run: StageRun): void;
  /** Called for each test that ends, in order. */
  result(result: TestResult): void;
}

/** Returns the path of the file with the whole output of a stage. */
export const outputFile = (folder: string, stage: Stage): string => join(folder, `${stage.name}.log`);

/**
 * Runs a stage. Resolves with its results. A stage that fails without a failed test gets a failed result of its own,
 * with the
 * end of its output.
 */
export async function runStage(stage: Stage, watch: StageWatch): Promise<StageEnd> {
  const file = join(watch.folder, `${stage.name}.jsonl`);
  const output = outputFile(watch.folder, stage);
  const now = watch.now ?? (() => performance.now());
  const began = now();
  const progress = new StageProgress(began, stage.hasTests);
  const results: TestResult[] = [];
  const idle = new AbortController();
  const follow = followFile(file);
  const look = () => {
    for (const text of follow.read()) {
      const line = readResultLine(text);
      if (!line) continue;
      progress.take(line, now());
      if (!('state' in line)) continue;
      results.push(line);
      watch.result(line);
    }
    const reason = progress.hanging(now(), watch.idleLimitMs);
    if (reason !== undefined) idle.abort(reason);
  };
  watch.started({ stage, began, progress });
  const looking = setInterval(look, LOOK_MS);
  const { trouble } = await runCommand(stage.command, {
    env: stage.hasTests ? { [RESULTS_FILE_VARIABLE]: file } : {},
    say: (text) => {
      appendFileSync(output, text);
      progress.printed(now());
    },
    yields: stage.yields ?? false,
    stop: AbortSignal.any([watch.stop, idle.signal]),
  });
  clearInterval(looking);
  look();
  const all = stage.hasTests ? stageResults(stage.name, results, trouble) : toolResults(stage, trouble);
  // The added result describes the stage itself, and its output has the reason.
  for (const added of all.slice(results.length)) watch.result({ ...added, details: detailsOf(added, output) });
  return { results: all, ended: now() };
}

/** A stage without tests counts only when it fails. */
const toolResults = (stage: Stage, trouble: string | undefined): TestResult[] =>
  trouble === undefined ? [] : stageResults(stage.name, [], trouble);

function detailsOf({ reason = '' }: TestResult, output: string): string {
  const lines = readOutput(output).trimEnd().split('\n');
  return [reason, `the end of ${output}:`, ...lines.slice(-TAIL_LINES)].join('\n');
}

function readOutput(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '(no output)';
  }
}
