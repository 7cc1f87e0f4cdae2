import { nodeClock } from '../../../sim/server/node-ports.ts';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HostPool } from '../../../cli/worlds/host-pool.ts';
import { HostProcess } from '../../../cli/worlds/host-process.ts';
import type { CaseAssignment } from '../../../cli/worlds/host-messages.ts';
import { readScenario } from '../../../sim/scenario/format/read-scenario.ts';

let folder: string;
beforeAll(() => (folder = mkdtempSync(join(tmpdir(), 'ringback-host-'))));
afterAll(() => rmSync(folder, { recursive: true }));

const assignment: CaseAssignment = {
  world: 'real',
  scenario: readScenario('mine.yaml', 'scenario: mine\nactors: { alice: { user: alice } }\nsteps: []\n'),
  one: { values: {} },
  seed: undefined,
  timeScale: 1,
  afterMs: 0,
};

const READY = "process.send({ type: 'ready' });";
const VERDICT = "process.send({ type: 'result', result: { state: 'passed', scenario } });";

/** A host with its own program, and the result of the case that it got. */
async function hostOf(program: string, signal = new AbortController().signal) {
  const file = join(folder, `${String(program.length)}.mjs`);
  writeFileSync(file, program);
  const host = new HostProcess(nodeClock, file);
  const verdict = await host.run(assignment, signal).then(
    ({ state, scenario }) => `${state} ${scenario}`,
    (error: Error) => error.message,
  );
  return { host, verdict };
}

describe('a scenario host', () => {
  it('gets cases one after another', async () => {
    const { host, verdict } = await hostOf(
      `process.on('message', ({ scenario: { scenario } }) => { ${VERDICT} });\n${READY}`,
    );
    expect(verdict).toBe('passed mine');
    expect(await host.run(assignment, new AbortController().signal)).toMatchObject({ state: 'passed' });
    host.kill();
    expect(host.isAlive).toBe(false);
  });

  it('that crashes before its verdict loses the case, and reports how', async () => {
    const { verdict, host } = await hostOf(
      `process.on('message', () => process.kill(process.pid, 'SIGSEGV'));\n${READY}`,
    );
    expect(verdict).toBe('the scenario host crashed before its verdict: SIGSEGV');
    expect(host.isAlive).toBe(false);
  });

  it('that crashes after its verdict has reported it', async () => {
    const { verdict } = await hostOf(
      `process.on('message', ({ scenario: { scenario } }) => { ${VERDICT} setImmediate(() => process.abort()); });\n${READY}`,
    );
    expect(verdict).toBe('passed mine');
  });

  it('that cannot load its engine is reported with its reason', async () => {
    const { verdict } = await hostOf("throw new Error('no wrtc for this machine');");
    expect(verdict).toMatch(/^the scenario host cannot be loaded: exit code 1, .*no wrtc for this machine/);
  });

  it('with invalid output, or whose run is aborted, is killed', async () => {
    const { verdict } = await hostOf(`setInterval(() => undefined, 1000); process.send({ type: 'hello' });`);
    expect(verdict).toBe('the scenario host sent an unknown message');
    const interruption = new AbortController();
    interruption.abort();
    const ended = await hostOf(`setInterval(() => undefined, 1000); ${READY} `, interruption.signal);
    expect([ended.verdict, ended.host.isAlive]).toEqual(['the run was ended', false]);
  });
});

describe('the hosts of a world', () => {
  /** Runs cases at the same time, twice, in hosts whose verdict names their process. */
  async function processesOf(options: {
    readonly casesOfHost?: number;
    readonly state: string;
    readonly world: 'virtual' | 'real';
  }) {
    const program = join(folder, `pool-${options.state}.mjs`);
    const verdict = `{ type: 'result', result: { state: '${options.state}', scenario: String(process.pid) } }`;
    writeFileSync(program, `process.on('message', () => process.send(${verdict}));\n${READY}`);
    const pool = new HostPool({ clock: nodeClock, program, ...options });
    const { signal } = new AbortController();
    const two = async () => {
      const both = [0, 1].map(() => pool.run({ ...assignment, world: options.world }, signal));
      return (await Promise.all(both)).map(({ scenario }) => scenario).toSorted();
    };
    const rounds = [await two(), await two()];
    pool.close();
    return rounds;
  }

  it('run cases at the same time in several processes, and take the next ones', async () => {
    const [first, second] = await processesOf({ state: 'passed', world: 'virtual' });
    expect(new Set(first)).toHaveProperty('size', 2);
    expect(second).toEqual(first);
  });

  it('are replaced after their number of cases, and with media after a failure', async () => {
    const [first = [], second] = await processesOf({ state: 'passed', world: 'real', casesOfHost: 1 });
    expect(second?.filter((pid) => first.includes(pid))).toEqual([]);
    const [failed = [], next] = await processesOf({ state: 'failed', world: 'real' });
    expect(next?.filter((pid) => failed.includes(pid))).toEqual([]);
    const [virtual, kept] = await processesOf({ state: 'failed', world: 'virtual' });
    expect(kept).toEqual(virtual);
  });

  it('have the next case already when there are enough, and one that dies fails only the case that it ran', async () => {
    const marker = join(folder, 'died');
    const program = join(folder, 'ahead.mjs');
    // Answers when it has two cases. The second process answers each case.
    writeFileSync(
      program,
      `import { existsSync, writeFileSync } from 'node:fs';
const verdict = { type: 'result', result: { state: 'passed', scenario: String(process.pid) } };
const isSecond = existsSync(${JSON.stringify(marker)});
let count = 0;
process.on('message', () => {
  count += 1;
  if (isSecond) return process.send(verdict);
  if (count === 2) for (const one of [1, 2]) process.send(verdict);
  if (count === 4) { writeFileSync(${JSON.stringify(marker)}, ''); process.kill(process.pid, 'SIGKILL'); }
});
${READY}`,
    );
    const pool = new HostPool({ clock: nodeClock, program, most: 1 });
    const { signal } = new AbortController();
    const two = () => Promise.all([0, 1].map(() => pool.run({ ...assignment, world: 'virtual' }, signal)));
    const [first, second] = await two();
    expect([first?.state, second?.scenario]).toEqual(['passed', first?.scenario]);
    const [died, next] = await two();
    expect(died?.failure?.message).toBe('the scenario host crashed before its verdict: SIGKILL');
    expect(next?.state).toBe('passed');
    expect(next?.scenario).not.toBe(first?.scenario);
    pool.close();
  });
});
