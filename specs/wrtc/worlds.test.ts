/** Scenarios in worlds on the wall clock: real sockets, real media, in a process of their own. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ringback } from './terminal.ts';
import { scaled } from '../../tools/run/machine-factor.ts';

/** Runs scenarios. Returns the printed object and the exit code. */
async function run(steps: string, ...words: string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'ringback-worlds-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'mine.yaml');
  writeFileSync(file, `scenario: mine\nactors: { alice: { user: alice }, bob: { user: bob } }\n${steps}`);
  const terminal = ringback(['run', file, '--out', folder, '--reporter', 'json', ...words]);
  onTestFinished(() => terminal.kill());
  const code = await terminal.exited(scaled(120_000));
  const [result] = (JSON.parse(terminal.out) as { results: Record<string, unknown>[] }).results;
  const read = (name: string) => readFileSync(join(folder, name), 'utf8');
  const traces = () =>
    readdirSync(folder)
      .filter((name) => name.endsWith('.ndjson'))
      // The head of a trace names its file, whose folder differs.
      .map((name) => [name, read(name).replaceAll(folder, '')]);
  return { code, result, trace: () => read('mine-1.ndjson'), traces };
}

const CONNECTED = `
  - { do: alice.dial, with: { callee: bob, video: true }, as: call }
  - { expect: { bob.call.state: ringing, alice.call.state: dialing }, within: 1s }
  - { do: bob.accept }
  - { expect: { alice.call.state: connected, bob.call.state: connected }, within: 10s }
`;

test('a call over real sockets with real media gives the states of virtual time, and leaves no address in its trace', async () => {
  const steps = `steps:${CONNECTED}
  - { expect: { alice.pcs: 1, bob.tracks: 2, alice.sound: none, server.calls: 1, alice.told.onConnected: 1 } }
  - { fault: { kind: ws, actor: alice, how: reset } }
  - { expect: { alice.ws: closed } }
  - { expect: { alice.ws: open }, within: 5s }
  - { do: bob.end }
  - { expect: { alice.call.result: completed, alice.pcs: 0, bob.tracks: 0, server.calls: 0 }, within: 2s }
  - { see: { to: alice, cmd: end }, times: 1 }`;
  const { code, result, trace } = await run(steps, '--world', 'real', '--trace', 'on');
  expect(result).toMatchObject({ state: 'passed' });
  expect(code).toBe(0);
  expect(trace()).toMatch(/"cmd":"candidate"/);
  expect(trace()).not.toMatch(/\d+\.\d+\.\d+\.\d+/);
});

test('in the scaled world the timers of the library take a tenth of the time, for the same file', async () => {
  const steps = `steps:
  - { do: alice.dial, with: { callee: bob }, label: dialled }
  - { expect: { alice.call.result: no_answer }, at: 60s, since: dialled }`;
  const { result } = await run(steps, '--world', 'scaled');
  expect(result).toMatchObject({ state: 'passed' });
  expect(result?.['wallMs']).toBeLessThan(scaled(20_000));
  const broken = await run(`steps:\n  - { fault: { kind: media, actor: bob } }`, '--world', 'scaled');
  expect(broken.result).toMatchObject({ state: 'skipped', skipped: expect.stringContaining('do not run faster') });
});

test('cases at the same time in virtual time run in several processes, with the same traces as alone', async () => {
  const steps = `cases: [{ for: 1s }, { for: 2s }, { for: 3s }, { for: 4s }]\nsteps:${CONNECTED}  - { wait: $case.for }`;
  const alone = await run(steps, '--trace', 'on');
  const together = await run(steps, '--trace', 'on', '--jobs', '3');
  expect([alone.code, together.code]).toEqual([0, 0]);
  expect(together.traces()).toEqual(alone.traces());
  expect(alone.traces()).toHaveLength(4);
});

/** Runs the scenarios with a tag in a world. Returns how many passed, and the reasons of the others. */
async function runTagged(tag: string, world: string) {
  const folder = mkdtempSync(join(tmpdir(), 'ringback-tagged-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const words = ['--tag', tag, '--world', world, '--jobs', '2', '--retries', '2', '--reporter', 'json'];
  const terminal = ringback(['run', '--out', folder, ...words]);
  onTestFinished(() => terminal.kill());
  await terminal.exited(scaled(240_000));
  const { results, passed } = JSON.parse(terminal.out) as {
    passed: number;
    results: { scenario: string; state: string; failure?: { message: string } }[];
  };
  const failures = results.filter(({ failure }) => failure).map((one) => `${one.scenario}: ${one.failure?.message}`);
  return { passed, failures };
}

test(
  'the named scenarios have the same causes in both worlds',
  async () => {
    const { passed, failures } = await runTagged('both', 'both');
    expect(failures).toEqual([]);
    expect(passed).toBeGreaterThanOrEqual(25);
  },
  scaled(250_000),
);

test(
  'rooms carry real media, whose path to the media server can be cut',
  async () => {
    expect(await runTagged('real', 'real')).toEqual({ passed: 11, failures: [] });
  },
  scaled(250_000),
);

test('Ctrl-C ends a run and the process of its case, and reports that the run is incomplete', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'ringback-interrupted-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const cases = 'cases: [{ long: 10ms }, { long: 40s }]';
  const text = `scenario: waits\n${cases}\nactors: { alice: { user: alice } }\nsteps:\n  - { wait: $case.long }\n`;
  writeFileSync(join(folder, 'waits.yaml'), text);
  const terminal = ringback(['run', join(folder, 'waits.yaml'), '--out', folder, '--world', 'real']);
  onTestFinished(() => terminal.kill());
  await terminal.saw(/ok +waits \[long 10ms\]/, scaled(60_000));
  terminal.process.kill('SIGINT');
  expect(await terminal.exited(scaled(10_000))).toBe(130);
  expect(terminal.out).toMatch(/1 passed, 0 failed/);
});

test('an expectation that is not met fails at its step, with the actual value', async () => {
  const steps = `steps:${CONNECTED}  - { expect: { alice.call.state: ended }, within: 1s }`;
  const { code, result } = await run(steps, '--world', 'real');
  expect(code).toBe(1);
  expect(result).toMatchObject({
    state: 'failed',
    failure: {
      place: { line: 8 },
      message: expect.stringMatching(/^not true within [\d.]+s: alice\.call\.state is connected, not ended$/),
    },
  });
});

test('a case is skipped with a reason by its file, by its length, or when the world does not support it', async () => {
  const why = async (steps: string, ...words: string[]) => (await run(steps, '--world', 'real', ...words)).result;
  expect(await why(`worlds: { real: ICE takes its time }\nsteps: []`)).toMatchObject({
    state: 'skipped',
    skipped: 'ICE takes its time',
  });
  expect(await why(`steps:\n  - { wait: 30s }`, '--longest', '20s')).toMatchObject({
    state: 'skipped',
    skipped: 'it takes 30s, and --longest allows 20s',
  });
  expect(await why(`steps:${CONNECTED}  - { do: alice.startRecording }`)).toMatchObject({
    state: 'skipped',
    skipped: 'there is no media recorder outside a browser',
  });
});

test('a scenario may set other timers for a world', async () => {
  const steps = `timers: { ring: 50s }
worlds: { real: { timers: { ring: 2s } } }
steps:
  - { do: alice.dial, with: { callee: bob }, label: dialled }
  - { expect: { alice.call.result: no_answer }, at: $timers.ring, since: dialled }`;
  expect((await run(steps, '--world', 'real')).result).toMatchObject({ state: 'passed' });
});
