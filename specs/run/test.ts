/**
 * `make test`: builds, runs every check and every test, and closes with the times and the count. A stage that fails does
 * not keep the others from running.
 */
import { join } from 'node:path';
import { findChromium, HOW_TO_GET_CHROMIUM } from '../../cli/worlds/browser/chromium.ts';
import { chromiumInstallCommands } from './install-chromium.ts';
import { RESULTS_FILE_VARIABLE, RESULTS_FOLDER, readResults, type TestResult, wipeResults } from './results.ts';
import { endAllOnInterrupt, runCommand } from './run-command.ts';
import { BUILD, COVERAGE, LANES, type Stage } from './stages.ts';
import { closingLines, type StageTime, stageResults, timeLines } from './summary.ts';
import { createTurns } from './turns.ts';

const MINUTE_MS = 60_000;

const results: TestResult[] = [];
const times: StageTime[] = [];
const turns = createTurns((text) => process.stdout.write(text));

/** Runs a stage, and returns its trouble. */
async function run(stage: Stage, env: Readonly<Record<string, string>> = {}): Promise<string | undefined> {
  const began = performance.now();
  const { say, end } = turns.speak();
  say(`\n== ${stage.name}\n`);
  const { trouble } = await runCommand(stage.command, stage.limitMinutes * MINUTE_MS, {
    env,
    say,
    yields: stage.yields ?? false,
  });
  const ended = performance.now();
  times.push({ name: stage.name, began, ended });
  say(`== ${stage.name} ${trouble ?? 'done'} after ${((ended - began) / 1000).toFixed(1)} s\n`);
  end();
  return trouble;
}

/** Finds a Chromium, or installs one where that is allowed. */
async function readyChromium(): Promise<string | undefined> {
  if (!findChromium() && !process.env['CHROMIUM_PATH']) {
    for (const command of chromiumInstallCommands()) {
      await run({ name: 'install Chromium', command, limitMinutes: 5, hasTests: false });
    }
  }
  return findChromium();
}

async function runTests(stage: Stage): Promise<void> {
  if (stage.needsChromium && !(await chromium)) {
    results.push(...stageResults(stage.name, [], HOW_TO_GET_CHROMIUM));
    return;
  }
  const file = join(RESULTS_FOLDER, `${stage.name}.jsonl`);
  const trouble = await run(stage, { [RESULTS_FILE_VARIABLE]: file });
  results.push(...stageResults(stage.name, readResults(file), trouble));
}

/** A stage without tests of its own counts only where it fails. */
async function runTool(stage: Stage): Promise<void> {
  const trouble = await run(stage);
  if (trouble) results.push(...stageResults(stage.name, [], trouble));
}

async function runLane(lane: readonly Stage[]): Promise<void> {
  for (const stage of lane) await runTests(stage);
}

endAllOnInterrupt();
wipeResults();
// It loads while all is built.
const chromium = readyChromium();
await runTool(BUILD);
await Promise.all(LANES.map(runLane));
await runTool(COVERAGE);
console.log(`\n${[...timeLines(times), ...closingLines(results)].join('\n')}`);
process.exitCode = results.some(({ state }) => state === 'failed') ? 1 : 0;
