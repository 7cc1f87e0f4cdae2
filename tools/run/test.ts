/**
 * `make test`: builds, runs every check and every test, and closes with the times and the count. A stage that fails
 * does not keep the others from running.
 *
 *   --verbose    prints each test
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { findChromium, findExecutable, HOW_TO_GET_CHROMIUM } from '../../cli/worlds/browser/chromium.ts';
import { createDisplay, failureLines, stageLine, testLine } from './display.ts';
import { chromiumInstallCommands, janusInstallCommands } from './install-packages.ts';
import { machineFactor } from './machine-factor.ts';
import { RESULTS_FOLDER, type TestResult, wipeResults } from './results.ts';
import { endAllOnInterrupt, stopAfter } from './run-command.ts';
import { RunProgress } from './run-progress.ts';
import { outputFile, runStage } from './run-stage.ts';
import { BUILD, COVERAGE, IDLE_LIMIT_MS, LANES, RUN_LIMIT_MS, type Stage } from './stages.ts';
import { closingLines, stageResults, type StageTime, timeLines } from './summary.ts';

/** The interval of the progress line, in milliseconds. */
const DRAW_MS = 500;

const { isVerbose } = readOptions();
const began = performance.now();
// Node sets neither property on a pipe, although the types require them.
const { isTTY, columns } = process.stdout as Partial<typeof process.stdout>;
const screen = { isTerminal: isTTY ?? false, columns: columns ?? 80 };
const display = createDisplay({ ...screen, write: (text) => process.stdout.write(text) }, began);
const factor = machineFactor();
const progress = new RunProgress([[BUILD], ...LANES, [COVERAGE]], factor, began);
const results: TestResult[] = [];
const times: StageTime[] = [];
const stop = stopAfter(RUN_LIMIT_MS, `the whole run has taken ${RUN_LIMIT_MS / 60_000} minutes`);

function readOptions(): { isVerbose: boolean } {
  try {
    return { isVerbose: parseArgs({ options: { verbose: { type: 'boolean' } } }).values.verbose ?? false };
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)} The only option is --verbose.`);
    return process.exit(2);
  }
}

function show(result: TestResult): void {
  if (result.state === 'failed') display.print(failureLines(result));
  else if (isVerbose) display.print([testLine(result)]);
}

/** Runs a stage, shows its results, and keeps them. */
async function run(stage: Stage): Promise<void> {
  const end = await runStage(stage, {
    folder: RESULTS_FOLDER,
    idleLimitMs: IDLE_LIMIT_MS,
    stop,
    started: (one) => progress.start(one),
    result: show,
  });
  const from = progress.end(stage);
  times.push({ name: stage.name, began: from, ended: end.ended });
  results.push(...end.results);
  display.print([stageLine(stage.name, end.ended - from, end.results)]);
}

async function install(name: string, commands: readonly string[][]): Promise<void> {
  for (const [at, command] of commands.entries()) {
    await run({ name: `${name} ${at + 1} of ${commands.length}`, command, seconds: 60, hasTests: false });
  }
}

/** Installs Janus, if it is missing and permitted. */
async function readyJanus(): Promise<void> {
  if (!findExecutable(['janus'])) await install('Janus', janusInstallCommands());
}

/** Finds a Chromium, or installs one if permitted. */
async function readyChromium(): Promise<string | undefined> {
  if (!findChromium() && !process.env['CHROMIUM_PATH']) await install('Chromium', chromiumInstallCommands());
  return findChromium();
}

async function runLane(lane: readonly Stage[]): Promise<void> {
  for (const stage of lane) {
    if (!stage.needsChromium || (await chromium)) await run(stage);
    else {
      const missing = stageResults(stage.name, [], HOW_TO_GET_CHROMIUM);
      results.push(...missing);
      missing.forEach(show);
    }
  }
}

/** Returns the last line of the output of a stage. */
function lastLine(stage: Stage): string {
  const lines = readFileSync(outputFile(RESULTS_FOLDER, stage), 'utf8').trimEnd().split('\n');
  return lines.at(-1) ?? '';
}

endAllOnInterrupt();
wipeResults();
display.print([
  `This machine is ${factor === 1 ? 'no slower than' : `${factor} times slower than`} the reference: ` +
    `deadlines of real media and browsers are multiplied by ${factor}.`,
]);
const drawing = setInterval(() => {
  const now = performance.now();
  display.progress(progress.text(now), now);
}, DRAW_MS);
// Both are downloaded during the build, if they are missing. Only one program may install at a time.
const janus = readyJanus();
const chromium = janus.then(readyChromium);
await run(BUILD);
// Tests look for Janus when they start.
await janus;
await Promise.all(LANES.map(runLane));
await run(COVERAGE);
clearInterval(drawing);
display.progress('', performance.now());
console.log(`\n${[...timeLines(times), `Requirements: ${lastLine(COVERAGE)}`, ...closingLines(results)].join('\n')}`);
process.exitCode = results.some(({ state }) => state === 'failed') ? 1 : 0;
