import type { Output } from '../reporter.ts';
import { nameOf, type SuiteReporter } from './suite-reporter.ts';

/** The version of the object. New versions only add keys. */
export const JSON_VERSION = 1;

/** The reporter that prints one object at the end of the run: the counts, the times, and a row for each case. */
export function jsonReporter({ out }: Output): SuiteReporter {
  return {
    ended({ results, ...summary }) {
      const rows = results.map((result) => {
        const { trace: _, ...row } = result;
        return { title: nameOf(result), ...row };
      });
      out.write(`${JSON.stringify({ version: JSON_VERSION, ...summary, results: rows })}\n`);
    },
  };
}
