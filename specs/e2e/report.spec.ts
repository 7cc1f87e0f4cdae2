/** Tests the report of a scenario run, opened as a file: it works, is readable and is accessible. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { AxeBuilder } from '@axe-core/playwright';
import { type Page, expect } from '@playwright/test';
import { tracePage } from '../../cli/reporters/trace-page.ts';
import { reportPage } from '../../cli/reporters/suite/html/page.ts';
import { readScenario } from '../../sim/scenario/format/read-scenario.ts';
import { runScenario } from '../../sim/scenario/run/run-scenario.ts';
import { virtualWorld } from '../../sim/scenario/virtual/virtual-world.ts';
import { test as base } from './support/worker-test.ts';

const HEAD = 'actors: { alice: { user: alice }, bob: { user: bob } }\nsteps:\n';
const STORIES = {
  holds: '  - { do: alice.dial, with: { callee: bob } }\n  - { expect: { bob.call.state: ringing }, within: 1s }\n',
  fails:
    '  - { do: alice.dial, with: { callee: bob } }\n  - { fault: { kind: drop, cmd: accept, from: bob }, first: 1 }\n  - { expect: { bob.call.state: ringing }, within: 1s }\n  - { do: bob.accept }\n  - { expect: { bob.call.state: ended }, within: 2s }\n',
};

/** The accessibility rules that a theme can break. */
const COLOURS = ['color-contrast', 'link-in-text-block'];

/** Opens a report with one passed and one failed case, in a page without errors. */
const test = base.extend<{ report: Page }>({
  report: async ({ page }, use) => {
    const folder = mkdtempSync(join(tmpdir(), 'ringback-report-'));
    const said: string[] = [];
    page.on('console', (message) => said.push(message.text()));
    page.on('pageerror', ({ message }) => said.push(message));
    const results = [];
    for (const [name, steps] of Object.entries(STORIES)) {
      const file = join(folder, `${name}.yaml`);
      writeFileSync(file, `scenario: ${name}\n${HEAD}${steps}`);
      const scenario = readScenario(file, readFileSync(file, 'utf8'));
      results.push(...(await runScenario(scenario, { name: 'virtual', world: virtualWorld, stopwatch: () => 0 })));
    }
    const counts = {
      passed: 1,
      failed: 1,
      skipped: 0,
      flaky: 0,
      inconclusive: 0,
      wallMs: 20,
      simulatedMs: 2_000,
      proves: [],
      complete: true,
    };
    writeFileSync(
      join(folder, 'report.html'),
      reportPage({ world: 'virtual', results, ...counts }, () => 'x.ndjson'),
    );
    await page.goto(pathToFileURL(join(folder, 'report.html')).href);
    await use(page);
    rmSync(folder, { recursive: true });
    expect(said).toEqual([]);
  },
});

test('the report filters by result, by words and by address', async ({ report }) => {
  const shown = report.locator('details.case:visible h2');
  await expect(shown).toHaveText(['fails', 'holds']);
  await report.getByText('Passed 1', { exact: true }).click();
  await expect(shown).toHaveText(['holds']);
  await report.getByText('All 2', { exact: true }).click();
  await report.getByLabel('Find').fill('ENDED not');
  await expect(shown).toHaveText(['fails']);
  await expect(report.getByRole('status')).toHaveText('1 found');
  await report.getByLabel('Find').fill('nothing like it');
  await expect(report.getByText('No case has these words.')).toBeVisible();
  await report.getByLabel('Find').fill('');
  await expect(shown).toHaveText(['fails', 'holds']);
  await expect(report.locator('#case-2')).not.toHaveAttribute('open');
  await report.evaluate(() => (location.hash = '#case-2'));
  await expect(report.locator('#case-2')).toHaveAttribute('open');
});

test('a row of the report opens to the content of the message, by the keyboard alone', async ({ report }) => {
  const failure = report.locator('#case-1');
  await failure.getByText(/^All \d+ messages and requests/).focus();
  await report.keyboard.press('Enter');
  const first = failure.locator('tr', { hasText: 'alice → exchange' }).first().locator('details');
  await first.locator('summary').focus();
  await report.keyboard.press('Enter');
  await expect(first.getByText('"callee_id": "bob"')).toBeVisible();
});

test('the report is accessible and fits the screen, on a phone and a desktop, in light and dark', async ({
  report,
}) => {
  await report.evaluate(() => document.querySelectorAll('details').forEach((details) => (details.open = true)));
  for (const [width, colorScheme, rules] of [
    [390, 'light', undefined],
    [390, 'dark', COLOURS],
    [1280, 'light', COLOURS],
    [1280, 'dark', undefined],
  ] as const) {
    await report.setViewportSize({ width, height: 900 });
    await report.emulateMedia({ colorScheme });
    const axe = new AxeBuilder({ page: report });
    const { violations } = await (rules ? axe.withRules([...rules]) : axe).analyze();
    expect(violations.map(({ id, nodes }) => `${width} ${colorScheme} ${id}: ${nodes[0]?.html}`)).toEqual([]);
    expect(await report.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
  }
});

test('the page of a trace shows the states and the messages of any moment', async ({ report }) => {
  const text = `scenario: rings\n${HEAD}${STORIES.holds}  - { expect: { alice.call.result: no_answer }, within: 61s }\n`;
  const [result] = await runScenario(readScenario('rings.yaml', text), {
    name: 'virtual',
    world: virtualWorld,
    stopwatch: () => 0,
  });
  const folder = mkdtempSync(join(tmpdir(), 'ringback-trace-page-'));
  writeFileSync(join(folder, 'rings.html'), tracePage({ events: result?.trace ?? [] }, 'rings'));
  await report.goto(pathToFileURL(join(folder, 'rings.html')).href);
  rmSync(folder, { recursive: true });
  const states = report.locator('.states li:visible');
  await expect(states).toContainText(['bob call ended', 'alice call ended']);
  await expect(report.locator('.ladder .later')).toHaveCount(0);
  const slider = report.getByLabel('Moment');
  await slider.fill('2');
  await expect(report.locator('#clock')).toHaveText('0.002 s');
  await expect(states).toContainText(['bob call ringing', 'alice call dialing']);
  await expect(report.locator('.ladder .now').first()).toContainText('idle -> ringing');
  expect(await report.locator('.ladder .later').count()).toBeGreaterThan(3);
  await slider.press('ArrowRight');
  await expect(report.locator('#clock')).toHaveText('0.003 s');
  expect((await new AxeBuilder({ page: report }).disableRules(['color-contrast']).analyze()).violations).toEqual([]);
});
