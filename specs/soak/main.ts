/** `npm run soak -- L1`: performs soak runs with live progress, prints their conditions, and writes a report. */
import { writeFileSync } from 'node:fs';
import { readSoakWords, SOAK_HELP, type SoakWords, WrongWords } from './options.ts';
import { reportJson, reportPage } from './report.ts';
import { SOAK_RUNS } from './runs.ts';
import { holds, performSoak, SoakCannotRun, type SoakId, type SoakResult, type SoakRun } from './soak-run.ts';
import { startSaying } from './say.ts';
import { listText, resultText } from './text.ts';

const EXIT = { ok: 0, failed: 1, usage: 2, missing: 4, interrupted: 130 } as const;

const stop = new AbortController();
process.on('SIGINT', () => {
  // The first one ends the load, and the conditions are still checked.
  if (stop.signal.aborted) process.exit(EXIT.interrupted);
  stop.abort();
});

/** Performs a run, and prints its result. Returns null when it could not run. */
async function perform(run: SoakRun, words: SoakWords): Promise<SoakResult | null> {
  const { isShort, minutes, inputs, seed, servers } = words;
  process.stdout.write(`${run.id}  ${run.about}\n`);
  const saying = startSaying(process.stderr);
  try {
    const result = await performSoak(run, {
      isShort,
      servers,
      stop: stop.signal,
      say: saying.say,
      ...(minutes === undefined ? {} : { minutes }),
      ...(inputs === undefined ? {} : { inputs }),
      ...(seed === undefined ? {} : { seed }),
    });
    saying.end();
    process.stdout.write(resultText(result));
    return result;
  } catch (error) {
    saying.end();
    if (error instanceof SoakCannotRun) {
      process.stderr.write(`${run.id} cannot run: ${error.message}\n`);
      process.exitCode = EXIT.missing;
    } else {
      process.stderr.write(
        `${run.id} failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
      );
      process.exitCode = EXIT.failed;
    }
    return null;
  }
}

const loaded = async (ids: readonly SoakId[]): Promise<SoakRun[]> => Promise.all(ids.map((id) => SOAK_RUNS[id]()));

/** @throws WrongWords for a run without the form or the option that the words ask for. */
function check(runs: readonly SoakRun[], { isShort, servers }: SoakWords): void {
  for (const { id, shortMs, takesServers } of runs) {
    if (isShort && shortMs === null) throw new WrongWords(`${id} has no short form.`);
    if (servers.length > 0 && !takesServers) throw new WrongWords(`${id} starts its own server: leave --server out.`);
  }
}

async function main(words: SoakWords): Promise<void> {
  if (words.isList) {
    const all = await loaded(Object.keys(SOAK_RUNS) as SoakId[]);
    process.stdout.write(listText(all));
    return;
  }
  const runs = await loaded(words.ids);
  check(runs, words);
  const results: SoakResult[] = [];
  for (const run of runs) {
    const result = await perform(run, words);
    if (result) results.push(result);
    if (stop.signal.aborted) break;
  }
  if (words.report !== undefined) {
    writeFileSync(words.report, words.report.endsWith('.json') ? reportJson(results) : reportPage(results));
    process.stdout.write(`report    ${words.report}\n`);
  }
  if (stop.signal.aborted) process.exitCode = EXIT.interrupted;
  else if (!results.every(holds)) process.exitCode = EXIT.failed;
}

try {
  const asked = process.argv.slice(2);
  if (asked.length === 0 || asked.includes('--help')) process.stdout.write(SOAK_HELP);
  else await main(readSoakWords(asked));
} catch (error) {
  if (!(error instanceof WrongWords)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = EXIT.usage;
}
// Native media keeps the process alive.
process.exit();
