import type { Output } from '../reporter.ts';
import { nameOf, type SuiteReporter } from './suite-reporter.ts';

/** Annotations of GitHub Actions: a line at the step that failed. */
export function githubReporter({ out }: Output): SuiteReporter {
  return {
    ended({ results, passed, failed, skipped }) {
      for (const result of results) {
        if (!result.failure) continue;
        const { place, message } = result.failure;
        const at = `file=${place?.file ?? result.file},line=${place?.line ?? 1},col=${place?.column ?? 1}`;
        out.write(`::error ${at},title=${property(nameOf(result))}::${data(message)}\n`);
      }
      out.write(`${passed} passed, ${failed} failed, ${skipped} skipped\n`);
    },
  };
}

const data = (text: string): string => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
const property = (text: string): string => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
