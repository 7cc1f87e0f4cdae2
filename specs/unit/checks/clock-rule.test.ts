import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { runTool } from '../../../tools/checks/run-tool.ts';
import { forgeTree } from './forged-tree.ts';

/** Returns the places, as `line:column`, that the clock rule refuses in these lines. */
function refusedIn(lines: readonly string[]): string[] {
  const root = forgeTree({
    'a.ts': lines.join('\n'),
    '.oxlintrc.json': JSON.stringify({
      categories: { correctness: 'off' },
      jsPlugins: [resolve('tools/checks/clock-rule.mjs')],
      rules: { 'clock/passed-in': 'error' },
    }),
  });
  const args = ['--config', `${root}/.oxlintrc.json`, '--format', 'unix', root];
  const { faults } = runTool('oxlint', args, () => 'a file');
  return faults.flatMap((line) => /a\.ts:(\d+:\d+)/.exec(line)?.[1] ?? []);
}

test('the clock rule refuses each read of the host clock or its randomness, and each timer of the host', () => {
  const refused = [
    'Date.now();',
    'new Date();',
    'performance.now();',
    'Math.random();',
    'setTimeout(run, 1);',
    'setInterval(run, 1);',
    'window.setTimeout(run, 1);',
    'globalThis.Date.now();',
    'later(Math.random);',
  ];
  const places = refusedIn(refused);
  expect(places.map((place) => Number(place.split(':')[0]))).toEqual(refused.map((_, index) => index + 1));
});

test('the clock rule permits a passed clock, and computations with a given date', () => {
  expect(
    refusedIn(['new Date(at).toISOString();', 'Date.UTC(2026, 0, 1);', 'clock.now();', 'clock.setTimeout(run, 1);']),
  ).toEqual([]);
});
