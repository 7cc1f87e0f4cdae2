/** Tests scenarios in the browser world: the built command, the built library, one Chromium. */
import { nodeClock } from '../../sim/server/node-ports.ts';
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect } from '@playwright/test';
import { findScenarios } from '../../cli/scenarios/find-scenarios.ts';
import { openBrowser } from '../../cli/worlds/browser/browser.ts';
import type { Scenario } from '../../sim/scenario/format/tree.ts';
import { casesOf } from '../../sim/scenario/run/cases.ts';
import { runCase } from '../../sim/scenario/run/run-scenario.ts';
import { causalDifferences, causalTrace, differenceText } from '../../src/trace/causal.ts';
import { virtualWorld } from '../../sim/scenario/virtual/virtual-world.ts';
import { test } from './support/worker-test.ts';

const MAIN = 'dist/cli/main.js';
/**
 * Scenarios that use the devices, the screen and the page of a browser. The decisions of the exchange are the same
 * in each world, so their scenarios run on real sockets and media in specs/wrtc/worlds.test.ts.
 */
const SCENARIOS = [
  'camera-switch',
  'happy-video',
  'hold',
  'media-controls',
  'screen-share',
  'sign-out-in-call',
  'two-devices-accept',
].map((name) => `direct/${name}`);
/** Scenarios with rooms. The same ones run with native media in specs/wrtc/worlds.test.ts, which finds them by a tag. */
const ROOMS = ['invitations', 'media-controls', 'path-cut-briefly', 'sibling', 'views'].map((name) => `room/${name}`);
/** The time for the effects of the last step, in either world. */
const AFTER_MS = 1_000;

interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

function run(words: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  const child = spawn(process.execPath, [MAIN, 'run', ...words], {
    // The runner of these tests asks its processes for colours.
    env: { ...process.env, FORCE_COLOR: undefined, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [out, err] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => void (out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => void (err += chunk.toString()));
  const ended = new Promise<Ran>((resolve) => child.on('close', (code) => resolve({ code, out, err })));
  return { child, ended };
}

test.describe('actions in browsers have the same causes and effects as in virtual time', () => {
  // A busy machine resends requests that got no reply in time. Such a scenario has a third try.
  test.describe.configure({ retries: 2 });

  // The scenarios of a worker share one browser.
  let world: Awaited<ReturnType<typeof openBrowser>>;
  let scenarios: readonly Scenario[];
  test.beforeAll(async () => {
    [world, { scenarios }] = await Promise.all([
      openBrowser({ jobs: 1, timeScale: 1, longestMs: 45_000, clock: nodeClock }),
      findScenarios([]),
    ]);
  });
  test.afterAll(() => world.close());

  for (const name of SCENARIOS) {
    test(name, async () => {
      const scenario = scenarios.find((one) => one.scenario === name);
      if (!scenario) throw new Error(`there is no scenario ${name}`);
      for (const one of casesOf(scenario)) {
        const modelled = await runCase(scenario, one, {
          name: 'browser',
          world: virtualWorld,
          afterMs: AFTER_MS,
          stopwatch: () => 0,
        });
        const { signal } = new AbortController();
        const seen = await world.run({ scenario, one, afterMs: AFTER_MS, signal });
        expect([seen.state, seen.failure]).toEqual(['passed', undefined]);
        const differences = causalDifferences(causalTrace(modelled.trace), causalTrace(seen.trace));
        expect(differences.map((difference) => differenceText(difference, ['virtual', 'browser']))).toEqual([]);
      }
    });
  }
});

test.describe('rooms in browsers: what elements play and show, invitations, siblings, a cut path', () => {
  test.describe.configure({ retries: 2 });

  let world: Awaited<ReturnType<typeof openBrowser>>;
  let scenarios: readonly Scenario[];
  test.beforeAll(async () => {
    [world, { scenarios }] = await Promise.all([
      openBrowser({ jobs: 1, timeScale: 1, longestMs: 45_000, clock: nodeClock }),
      findScenarios([]),
    ]);
  });
  test.afterAll(() => world.close());

  for (const name of ROOMS) {
    test(name, async () => {
      const scenario = scenarios.find((one) => one.scenario === name);
      if (!scenario) throw new Error(`there is no scenario ${name}`);
      const { signal } = new AbortController();
      for (const one of casesOf(scenario)) {
        const { state, failure } = await world.run({ scenario, one, signal });
        expect([one.name, state, failure?.message]).toEqual([one.name, 'passed', undefined]);
      }
    });
  }
});

/* oxlint-disable no-empty-pattern -- Playwright wants its fixtures destructured, also when there are none */

test('without Chromium, or without a driver for it, one line names what to install', async ({}, testInfo) => {
  const words = ['--grep', 'direct/decline', '--world', 'browser', '--out', testInfo.outputPath('out')];
  const { code, err } = await run(words, { CHROMIUM_PATH: '/no/such/browser' }).ended;
  expect([code, err]).toEqual([4, expect.stringMatching(/^The browser world needs a browser: .*CHROMIUM_PATH.*\n$/)]);

  const hide = `data:text/javascript,${encodeURIComponent(
    "export const resolve = (name, context, next) => { if (name === 'playwright-core') throw new Error('not found'); return next(name, context); };",
  )}`;
  const register = `import { register } from 'node:module'; register(${JSON.stringify(hide)});`;
  const NODE_OPTIONS = `--import data:text/javascript,${encodeURIComponent(register)}`;
  const bare = await run(words, { NODE_OPTIONS }).ended;
  expect([bare.code, bare.err]).toEqual([
    4,
    expect.stringMatching(/^The browser world .*npm install playwright-core\n$/),
  ]);
});

test('Ctrl-C in a call ends the run at once, and leaves no browser', async ({}, testInfo) => {
  const { child, ended } = run([
    ...['--grep', '^direct/(decline|happy-voice)$', '--world', 'browser', '--out', testInfo.outputPath('out')],
  ]);
  // One case has ended. The next is a call of ten seconds.
  await Promise.race([
    new Promise((resolve) =>
      child.stdout.on('data', (data: Buffer) => /ok +direct\/decline/.test(String(data)) && resolve(0)),
    ),
    ended.then(({ out, err }) => Promise.reject(new Error(`it ended before: ${out}${err}`))),
  ]);
  const started = childrenOf(child.pid ?? 0);
  expect(started).not.toEqual([]);
  child.kill('SIGINT');
  const { code, out } = await ended;
  expect([code, out]).toEqual([130, expect.stringContaining('1 passed, 0 failed')]);
  for (const pid of started) expect(() => process.kill(pid, 0), `process ${pid} is gone`).toThrow('ESRCH');
});

/** Returns the child processes of a process. */
const childrenOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number);
