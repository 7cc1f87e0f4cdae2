import { escaped } from '../../../src/trace/picture/words.ts';
import type { CaseFailure } from '../../../sim/scenario/run/run-scenario.ts';
import type { Output } from '../reporter.ts';
import { nameOf, type SuiteReporter, type SuiteResult } from './suite-reporter.ts';

/**
 * JUnit's XML as build servers read it: a suite a scenario, a test a case. It keeps to the schema of Jenkins's xUnit plugin
 * (junit-10.xsd), which is stricter than the others.
 */
export function junitReporter({ out }: Output): SuiteReporter {
  return {
    ended({ results, wallMs, world }) {
      const scenarios = [...new Set(results.map(({ scenario }) => scenario))];
      const suites = scenarios.map((name) => suiteOf(results.filter(({ scenario }) => scenario === name)));
      const head = attributes({ name: `ringback ${world}`, ...totalsOf(results), time: seconds(wallMs) });
      out.write(`<?xml version="1.0" encoding="UTF-8"?>\n<testsuites${head}>\n${suites.join('')}</testsuites>\n`);
    },
  };
}

function suiteOf(results: readonly SuiteResult[]): string {
  const [{ scenario, file } = { scenario: '', file: '' }] = results;
  const head = attributes({
    ...{ name: scenario, file, ...totalsOf(results), skipped: count(results, 'skipped') },
    time: seconds(results.reduce((sum, { wallMs }) => sum + wallMs, 0)),
  });
  return `  <testsuite${head}>\n${results.map(testOf).join('')}  </testsuite>\n`;
}

function testOf(result: SuiteResult): string {
  const { scenario, state, wallMs, skipped, flaky = [], failure } = result;
  const head = attributes({
    ...{ classname: scenario.replaceAll('/', '.'), name: nameOf(result), time: seconds(wallMs) },
  });
  const inside = [
    ...(skipped === undefined ? [] : [`<skipped${attributes({ message: skipped })}/>`]),
    ...flaky.map((first) => failureOf('flakyFailure', first)),
    ...(failure ? [state === 'inconclusive' ? errorOf(failure) : failureOf('failure', failure)] : []),
  ];
  if (inside.length === 0) return `    <testcase${head}/>\n`;
  return `    <testcase${head}>\n${inside.map((one) => `      ${one}\n`).join('')}    </testcase>\n`;
}

const failureOf = (element: 'failure' | 'flakyFailure', failure: CaseFailure): string =>
  troubleOf(element, 'failed', failure);

/** To JUnit an error is what kept a test from its verdict. */
const errorOf = (failure: CaseFailure): string => troubleOf('error', 'inconclusive', failure);

function troubleOf(element: string, type: string, { place, message }: CaseFailure): string {
  const where = place ? `${place.file}:${place.line}:${place.column}: ` : '';
  return `<${element}${attributes({ type, message })}>${text(`${where}${message}`)}</${element}>`;
}

const count = (results: readonly SuiteResult[], state: SuiteResult['state']): number =>
  results.filter((result) => result.state === state).length;

const totalsOf = (results: readonly SuiteResult[]) => ({
  tests: results.length,
  failures: count(results, 'failed'),
  errors: count(results, 'inconclusive'),
});

const seconds = (ms: number): string => (ms / 1_000).toFixed(3);

const attributes = (values: Readonly<Record<string, string | number>>): string =>
  Object.entries(values)
    .map(([name, value]) => ` ${name}="${text(String(value)).replaceAll('\n', '&#10;')}"`)
    .join('');

/** XML has no way to write most control characters. */
const text = (words: string): string =>
  escaped(words).replaceAll(/[\u0000-\u0008\u000b-\u001f\ufffe\uffff]/g, '\ufffd');
