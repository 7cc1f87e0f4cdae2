import type { Output } from '../reporter.ts';
import { countsOf, nameOf, type SuiteReporter } from './suite-reporter.ts';

/** The reporter for GitHub Actions: prints an annotation at the step that failed. */
export function githubReporter({ out }: Output): SuiteReporter {
  return {
    ended(summary) {
      for (const result of summary.results) {
        const [first] = result.flaky ?? [];
        if (first)
          out.write(
            `::warning file=${property(result.file)},title=${property(nameOf(result))}::flaky, at first: ${data(first.message)}\n`,
          );
        if (!result.failure) continue;
        const { place, message } = result.failure;
        const at = `file=${property(place?.file ?? result.file)},line=${place?.line ?? 1},col=${place?.column ?? 1}`;
        out.write(`::error ${at},title=${property(nameOf(result))}::${data(message)}\n`);
      }
      out.write(`${countsOf(summary)}\n`);
    },
  };
}

const data = (text: string): string => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
const property = (text: string): string => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
