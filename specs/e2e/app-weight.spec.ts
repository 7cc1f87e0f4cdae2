/** Tests the size of the built app as users load it. `npm run bench app-weight` prints the figures. */
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { expect } from '@playwright/test';
import { APP_LIMITS, weighApp } from '../../tools/package/weigh-app.ts';
import { test } from './support/worker-test.ts';

test('at most 125 kB are loaded before the first paint, without the calling library', () => {
  const { first, calling, callingComesFirst } = weighApp();
  expect(first).toBeGreaterThan(50_000);
  expect(first).toBeLessThanOrEqual(APP_LIMITS.first);
  expect(callingComesFirst).toBe(false);
  expect(calling).toBeGreaterThan(10_000);
  expect(calling).toBeLessThanOrEqual(APP_LIMITS.calling);
});

test('SCR-01: every screen is a separate file, and none is loaded before it is needed', () => {
  const rows = readFileSync(new URL('../../src/app/routes/shell/screens.tsx', import.meta.url), 'utf8');
  const named = [...rows.matchAll(/^ {4}Screen: \w+\(\(\) => import\('([^']+)'\)/gm)].map(([, path = '']) =>
    basename(path, '.tsx'),
  );
  expect(named).toHaveLength([...rows.matchAll(/^ {4}Screen: /gm)].length);
  expect([...weighApp().screens.keys()].toSorted()).toEqual(named.toSorted());
});

test('a screen loads at most 20 kB, the chat 40 kB', () => {
  const { screens } = weighApp();
  expect(screens.size).toBeGreaterThan(20);
  const tooHeavy = [...screens].filter(
    ([name, bytes]) => bytes > (name === 'chat' ? APP_LIMITS.chat : APP_LIMITS.screen),
  );
  expect(tooHeavy).toEqual([]);
});

test('a screen requests at most 16 files at once, because a phone waits for each', () => {
  const { files } = weighApp();
  expect(files.size).toBeGreaterThan(20);
  expect(Math.min(...files.values())).toBeGreaterThan(0);
  expect([...files].filter(([, count]) => count > APP_LIMITS.files)).toEqual([]);
});
