import { escaped } from '../../../sim/scenario/picture/escaped.ts';
import type { Output } from '../reporter.ts';
import { nameOf, type SuiteReporter } from './suite-reporter.ts';

const seconds = (ms: number): string => (ms / 1_000).toFixed(3);

/** JUnit's XML, as build servers read it. */
export function junitReporter({ out }: Output): SuiteReporter {
  return {
    ended({ results, failed, skipped, wallMs, world }) {
      const cases = results.map((result) => {
        const head = `    <testcase classname="${escaped(result.scenario.replaceAll('/', '.'))}" name="${escaped(nameOf(result))}" file="${escaped(result.file)}" time="${seconds(result.wallMs)}"`;
        if (result.skipped !== undefined)
          return `${head}>\n      <skipped message="${escaped(result.skipped)}"/>\n    </testcase>`;
        if (result.flaky)
          return `${head}>\n${result.flaky.map(({ message }) => `      <flakyFailure message="${escaped(message)}"/>\n`).join('')}    </testcase>`;
        if (!result.failure) return `${head}/>`;
        const { place, message } = result.failure;
        const where = place ? `${place.file}:${place.line}:${place.column}: ` : '';
        return `${head}>\n      <failure message="${escaped(message)}">${escaped(`${where}${message}`)}</failure>\n    </testcase>`;
      });
      out.write(
        `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n  <testsuite name="ringback ${world}" tests="${results.length}" failures="${failed}" skipped="${skipped}" time="${seconds(wallMs)}">\n${cases.join('\n')}\n  </testsuite>\n</testsuites>\n`,
      );
    },
  };
}
