import { nodeClock } from '../../../sim/server/node-ports.ts';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { EXIT, suiteExitCode } from '../../../cli/exit-codes.ts';
import { runSuite, SUITE_DEFAULTS, type SuiteOptions } from '../../../cli/scenarios/run-suite.ts';
import { countsOf } from '../../../cli/reporters/suite/suite-reporter.ts';
import { runVirtual } from '../../../cli/worlds/run-virtual.ts';
import { casesOf, type ScenarioCase } from '../../../sim/scenario/run/cases.ts';
import type { CaseJob, WorldFactory } from '../../../cli/worlds/world.ts';
import { readScenario } from '../../../sim/scenario/format/read-scenario.ts';
import { type CaseResult, lostCase, skippedCase } from '../../../sim/scenario/run/run-scenario.ts';

let out: string;
beforeAll(() => (out = mkdtempSync(join(tmpdir(), 'ringback-suite-'))));
afterAll(() => rmSync(out, { recursive: true }));

const scenarios = ['one', 'two', 'three'].map((name) =>
  readScenario(`${name}.yaml`, `scenario: ${name}\nactors: { alice: { user: alice } }\nsteps: []\n`),
);

/** A world whose cases get the results that the test sets. */
const worldOf = (run: (job: CaseJob) => Promise<CaseResult>): WorldFactory => ({
  name: 'test',
  isExact: false,
  open: async () => ({ run, close: async () => undefined }),
});

const passed = ({ scenario, one }: CaseJob): CaseResult => {
  const { skipped: _, ...result } = skippedCase(scenario, one, { why: '' });
  return { ...result, state: 'passed' };
};

const suite = (world: WorldFactory, options: Partial<SuiteOptions> = {}) =>
  runSuite(
    scenarios,
    { ...SUITE_DEFAULTS, clock: nodeClock, trace: 'off', out, signal: new AbortController().signal, ...options, world },
    { ended: () => undefined },
  );

it('a failing case is retried as often as requested, and is flaky when it then passes', async () => {
  const tries = new Map<string, number>();
  const world = worldOf(async (job) => {
    const name = job.scenario.scenario;
    const nth = (tries.get(name) ?? 0) + 1;
    tries.set(name, nth);
    const isFailing = name === 'one' || (name === 'two' && nth < 3);
    return isFailing ? lostCase(job.scenario, job.one, { why: `try ${nth}`, wallMs: 0 }) : passed(job);
  });
  const { passed: good, failed, flaky, results } = await suite(world, { retries: 2 });
  expect([good, failed, flaky]).toEqual([2, 1, 1]);
  expect(Object.fromEntries(tries)).toEqual({ one: 3, two: 3, three: 1 });
  expect(results.map(({ state, flaky: earlier }) => [state, earlier?.map(({ message }) => message)])).toEqual([
    ['failed', undefined],
    ['passed', ['try 1', 'try 2']],
    ['passed', undefined],
  ]);
});

it('an inconclusive case is retried; the verdict of one of its tries is the verdict', async () => {
  const stories: Readonly<Record<string, readonly CaseResult['state'][]>> = {
    one: ['inconclusive', 'passed'],
    two: ['failed', 'inconclusive', 'inconclusive'],
    three: ['inconclusive', 'inconclusive', 'inconclusive'],
  };
  const tries = new Map<string, number>();
  const world = worldOf(async (job) => {
    const name = job.scenario.scenario;
    const nth = tries.get(name) ?? 0;
    tries.set(name, nth + 1);
    const state = stories[name]?.[nth] ?? 'skipped';
    if (state === 'passed') return passed(job);
    return { ...lostCase(job.scenario, job.one, { why: `${state} ${nth}`, wallMs: 0 }), state };
  });
  const { results, ...counts } = await suite(world, { retries: 2 });
  expect(counts).toMatchObject({ passed: 1, failed: 1, inconclusive: 1, flaky: 0 });
  expect(Object.fromEntries(tries)).toEqual({ one: 2, two: 3, three: 3 });
  expect(results.map(({ state, failure, flaky }) => [state, failure?.message, flaky])).toEqual([
    // A case is not flaky because of a slow machine.
    ['passed', undefined, undefined],
    ['failed', 'failed 0', undefined],
    ['inconclusive', 'inconclusive 2', undefined],
  ]);
});

it('as many cases run at a time as there are jobs, and are sorted by name at the end', async () => {
  let running = 0;
  let most = 0;
  const ends: (() => void)[] = [];
  const world = worldOf(async (job) => {
    running += 1;
    most = Math.max(most, running);
    // The first runs until the last has begun.
    if (job.scenario.scenario === 'one') await new Promise<void>((resolve) => ends.push(resolve));
    if (job.scenario.scenario === 'three') ends.forEach((end) => end());
    running -= 1;
    return passed(job);
  });
  const { results } = await suite(world, { jobs: 2 });
  expect(most).toBe(2);
  expect(results.map(({ scenario }) => scenario)).toEqual(['one', 'two', 'three']);
});

it('a skipped case is counted as skipped, and proves nothing', async () => {
  const world = worldOf(async (job) =>
    job.scenario.scenario === 'two' ? skippedCase(job.scenario, job.one, { why: 'not here' }) : passed(job),
  );
  const { passed: good, failed, skipped, complete } = await suite(world);
  expect([good, failed, skipped, complete]).toEqual([2, 0, 1, true]);
});

it('an aborted run begins no further case, and counts no pending one', async () => {
  const interruption = new AbortController();
  const world = worldOf(async (job) => {
    if (job.scenario.scenario === 'two') interruption.abort();
    return passed(job);
  });
  const outcome = await suite(world, { signal: interruption.signal });
  expect(outcome.results.map(({ scenario }) => scenario)).toEqual(['one']);
  expect(outcome.complete).toBe(false);
  expect(countsOf(outcome)).toBe('1 passed, 0 failed, 2 not run (interrupted)');
});

it('a run that stops after a failure counts the cases that it left out', async () => {
  const world = worldOf(async (job) => lostCase(job.scenario, job.one, { why: 'no', wallMs: 0 }));
  expect(countsOf(await suite(world, { maxFailures: 1 }))).toBe(
    '0 passed, 1 failed, 2 not run (stopped after a failure)',
  );
  expect(countsOf(await suite(world))).toBe('0 passed, 3 failed');
});

it('a case in virtual time ends soon after the run was ended', async () => {
  const head = 'scenario: long\nactors: { alice: { user: alice }, bob: { user: bob } }\nsteps:\n';
  const long = readScenario('long.yaml', `${head}  - { do: alice.dial, with: { callee: bob } }\n  - { wait: 24h }\n`);
  const interruption = new AbortController();
  const [one] = casesOf(long);
  setImmediate(() => interruption.abort());
  const { failure, simulatedMs } = await runVirtual(
    { scenario: long, one: one as ScenarioCase },
    nodeClock,
    interruption.signal,
  );
  expect(failure?.message).toContain('the run was ended');
  expect(simulatedMs).toBeLessThan(60_000);
});

it.each([
  ['all hold', {}, false, EXIT.ok],
  ['one fails', { failed: 1 }, false, EXIT.failed],
  ['one has no verdict', { inconclusive: 1 }, false, EXIT.inconclusive],
  ['none passed and one has no verdict', { passed: 0, inconclusive: 1 }, false, EXIT.inconclusive],
  ['one has no verdict, and one fails', { failed: 1, inconclusive: 1 }, false, EXIT.failed],
  ['every case was skipped', { passed: 0 }, false, EXIT.incomplete],
  ['not all were run', { complete: false }, false, EXIT.incomplete],
  ['two runs with the same seed differ, and one fails', { failed: 1, unsteady: ['one'] }, false, EXIT.unsteady],
  ['somebody ended it, and one fails', { failed: 1, complete: false }, true, EXIT.interrupted],
])('exits with a separate code when %s', (_, outcome, interrupted, code) => {
  const all = { passed: 1, failed: 0, inconclusive: 0, complete: true, unsteady: [] };
  expect(suiteExitCode({ ...all, ...outcome }, interrupted)).toBe(code);
});

it('two runs with the same seed whose traces differ are reported once', async () => {
  let runs = 0;
  const world = worldOf(async (job) => ({
    ...passed(job),
    trace: [{ kind: 'step', at: job.scenario.scenario === 'two' ? (runs += 1) : 0, place: '', text: '' }],
  }));
  const { unsteady } = await suite(world, { checkDeterminism: true, repeat: 2 });
  expect(unsteady).toEqual(['two']);
});

it('a run that is ended during the second run of a case reports no difference of traces', async () => {
  const ending = new AbortController();
  let runs = 0;
  const world = worldOf(async (job) => {
    runs += 1;
    if (runs === 2) ending.abort();
    return { ...passed(job), trace: [{ kind: 'step', at: runs, place: '', text: '' }] };
  });
  const { unsteady, complete, left } = await suite(world, { checkDeterminism: true, jobs: 1, signal: ending.signal });
  expect({ runs, unsteady, complete, left }).toEqual({
    runs: 2,
    unsteady: [],
    complete: false,
    left: { cases: 3, why: 'interrupted' },
  });
});
