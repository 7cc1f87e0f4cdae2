import type { Output } from '../reporter.ts';
import type { SuiteReporter } from './suite-reporter.ts';

/** The version of the object: it grows by new keys only. */
const VERSION = 1;

/** One object when the run is over: the counts, the times, and a row a case. */
export function jsonReporter({ out }: Output): SuiteReporter {
  return {
    ended({ results, ...summary }) {
      const rows = results.map(({ trace: _, ...row }) => row);
      out.write(`${JSON.stringify({ version: VERSION, ...summary, results: rows })}\n`);
    },
  };
}
