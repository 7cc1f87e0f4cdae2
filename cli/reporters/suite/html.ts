import { join } from 'node:path';
import { writeResult } from '../../scenarios/output-files.ts';
import type { Output } from '../reporter.ts';
import { reportPage } from './html/page.ts';
import { countsOf, type SuiteReporter, type SuiteResult } from './suite-reporter.ts';

/** The reporter that writes a report as one HTML file without external resources. */
export function htmlReporter({ out, err }: Output, folder: string): SuiteReporter {
  const traces = new Map<SuiteResult, string>();
  return {
    began: (total) => void (err.isTTY && err.write(`0 of ${total}`)),
    result(result, { done, total, trace }) {
      if (trace !== undefined) traces.set(result, trace);
      if (err.isTTY) err.write(`\r\u001B[2K${done} of ${total}`);
    },
    ended(summary) {
      const file = join(folder, 'report.html');
      writeResult(
        file,
        reportPage(summary, (result) => traces.get(result)),
      );
      if (err.isTTY) err.write('\r\u001B[2K');
      out.write(`${countsOf(summary)}: ${file}\n`);
    },
  };
}
