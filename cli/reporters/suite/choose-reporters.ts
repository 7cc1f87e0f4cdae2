import { join } from 'node:path';
import type { ReporterName } from '../../arguments/choices.ts';
import { writeResult } from '../../scenarios/output-files.ts';
import type { Output } from '../reporter.ts';
import { githubReporter } from './github.ts';
import { htmlReporter } from './html.ts';
import { jsonReporter } from './json.ts';
import { junitReporter } from './junit.ts';
import { listReporter } from './list.ts';
import type { SuiteReporter } from './suite-reporter.ts';

type MakeReporter = (output: Output, folder: string) => SuiteReporter;

const REPORTERS = {
  list: listReporter,
  json: jsonReporter,
  junit: junitReporter,
  github: githubReporter,
  html: htmlReporter,
} as const satisfies Readonly<Record<ReporterName, MakeReporter>>;

/** The files of machine-readable reports when there are several, since they cannot share standard output. */
export const REPORT_FILES = { json: 'results.json', junit: 'junit.xml' } as const;

const FILES: Readonly<Partial<Record<ReporterName, string>>> = REPORT_FILES;

/** Combines the selected reporters into one. The first one shows the progress. */
export function chooseReporters(names: readonly ReporterName[], output: Output, folder: string): SuiteReporter {
  const [only, ...others] = names;
  if (only === undefined) return listReporter(output);
  if (others.length === 0) return REPORTERS[only](output, folder);
  const still: Output = { out: output.out, err: { write: (text) => output.err.write(text), isTTY: false } };
  const made = names.map((name, at) => {
    const file = FILES[name];
    const own = at === 0 ? output : still;
    return file === undefined ? REPORTERS[name](own, folder) : intoFile(REPORTERS[name], own, join(folder, file));
  });
  return {
    began: (...what) => made.forEach((reporter) => reporter.began?.(...what)),
    result: (...what) => made.forEach((reporter) => reporter.result?.(...what)),
    ended: (summary) => made.forEach((reporter) => reporter.ended(summary)),
  };
}

function intoFile(make: MakeReporter, output: Output, file: string): SuiteReporter {
  let text = '';
  const reporter = make({ out: { write: (more) => void (text += more) }, err: output.err }, '');
  return {
    ...reporter,
    ended(summary) {
      reporter.ended(summary);
      writeResult(file, text);
      output.out.write(`${file}\n`);
    },
  };
}
