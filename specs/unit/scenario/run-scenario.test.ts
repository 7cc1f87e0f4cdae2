import { describe, expect, it } from 'vitest';
import { readScenario } from '../../../sim/scenario/format/read-scenario.ts';
import { type CaseResult, runScenario } from '../../../sim/scenario/run/run-scenario.ts';
import { fillIn, fits, holds } from '../../../sim/scenario/format/values.ts';
import { EVIDENCE } from '../../../sim/scenario/trace/evidence.ts';
import { traceLine } from '../../../sim/scenario/trace/masked-trace.ts';
import { virtualWorld } from '../../../sim/scenario/virtual/virtual-world.ts';

const HEAD = 'scenario: mine\nactors: { alice: { user: alice }, bob: { user: bob } }\n';
const CONNECTED = `
  - { do: alice.dial, with: { callee: bob, video: true }, as: call }
  - { expect: { bob.call.state: ringing }, within: 1s }
  - { do: bob.accept }
  - { expect: { alice.call.state: connected, bob.call.state: connected }, within: 5s }
`;

async function run(steps: string, head = HEAD): Promise<CaseResult[]> {
  let now = 0;
  return runScenario(readScenario('mine.yaml', `${head}steps:\n${steps.replace(/^\n/, '')}`), {
    name: 'virtual',
    world: virtualWorld,
    stopwatch: () => (now += 1),
  });
}

/** Returns why the one case failed. Returns 'passed' when it did not fail. */
async function verdict(steps: string, head?: string): Promise<string> {
  const [result] = await run(steps, head);
  return result?.failure?.message ?? result?.state ?? 'no result';
}

describe('steps', () => {
  it('that are true pass, with the simulated time and the number of messages', async () => {
    const [result] = await run(
      `${CONNECTED}  - { wait: 10s }\n  - { do: bob.end }\n  - { expect: { alice.call.result: completed }, within: 1s }\n`,
    );
    expect(result).toMatchObject({ state: 'passed', scenario: 'mine', seed: 1 });
    expect(result?.simulatedMs).toBeGreaterThan(10_000);
    expect(result?.messages).toBeGreaterThan(20);
  });

  it('that fail are reported with their place and the nearest observed value', async () => {
    const [result] = await run(
      `${CONNECTED}  - { expect: { alice.call.state: ended, alice.call.remoteAudio: true }, within: 2s }\n`,
    );
    expect(result?.failure).toEqual({
      place: { file: 'mine.yaml', line: 8, column: 7 },
      message: 'not true within 2.005s: alice.call.state is connected, not ended',
    });
    expect(result?.proves).toEqual([]);
  });

  it('at a moment fail when the state comes too early or too late', async () => {
    const ring = (at: string) =>
      `  - { do: alice.dial, with: { callee: bob }, label: dialled }\n  - { expect: { alice.call.result: no_answer }, at: ${at}, since: dialled }\n`;
    expect(await verdict(ring('60s'))).toBe('passed');
    expect(await verdict(ring('61s'))).toMatch(/^too early: it was true after 60\.00\ds, not after 60\.995s/);
    expect(await verdict(ring('59s'))).toMatch(/^not true within 59\.005s/);
  });

  it('fail when their bound was over before the step, though they are true, and pass without a label', async () => {
    const late = (bound: string, value = 'connected') =>
      verdict(
        `${CONNECTED}  - { wait: 1s, label: m }\n  - { wait: 10s }\n  - { expect: { alice.call.state: ${value} }${bound} }\n`,
      );
    for (const bound of [', within: 1s', ', at: 1s', ', between: [1s, 2s]'])
      expect(await late(`${bound}, since: m`)).toMatch(
        /^its bound was over before the step: it began 10s after m, and the bound ends after [12]\.005s/,
      );
    expect(await late(', within: 1s, since: m', 'ended')).toMatch(/^not true within/);
    for (const bound of ['', ', within: 1s', ', within: 11s, since: m', ', for: 1s, since: m'])
      expect(await late(bound)).toBe('passed');
  });

  it('within a window or for a duration pass or fail by that time', async () => {
    expect(await verdict(`${CONNECTED}  - { expect: { alice.call.duration: '>= 3000' }, between: [2s, 4s] }\n`)).toBe(
      'passed',
    );
    expect(
      await verdict(`${CONNECTED}  - { expect: { alice.call.duration: '>= 1000' }, between: [2s, 4s] }\n`),
    ).toMatch(/^too early/);
    expect(await verdict(`${CONNECTED}  - { expect: { alice.call.duration: '< 3000' }, for: 5s }\n`)).toMatch(
      /but not for 5s/,
    );
  });

  it('a forbidden state is reported when it occurs', async () => {
    expect(await verdict(`  - { never: { from: alice, cmd: offer } }\n${CONNECTED.slice(1)}`)).toMatch(
      /^offer from alice must never be seen; it was seen after \dms$/,
    );
    expect(await verdict(`  - { never: { expect: { alice.call.state: connected } } }\n${CONNECTED.slice(1)}`)).toMatch(
      /^this must never hold/,
    );
    expect(await verdict(`  - { never: { from: bob, cmd: offer } }\n${CONNECTED.slice(1)}`)).toBe('passed');
  });

  it('messages are counted, and their moments reported', async () => {
    const alive = (step: string) =>
      `timers: { ring: 100s }\nsteps:\n  - { do: alice.dial, with: { callee: bob } }\n  - { expect: { alice.call.state: dialing }, within: 1s, label: there }\n  - ${step}\n`;
    const scenario = (step: string) => verdictOf(`${HEAD}${alive(step)}`);
    expect(await scenario('{ see: { from: alice, cmd: alive }, every: 30s, times: 3, since: there }')).toBe('passed');
    // The number of messages is as expected, but the spans between them differ.
    expect(await scenario('{ see: { from: alice, cmd: alive }, every: 25s, times: 3, since: there }')).toMatch(
      /was expected 3 times, every 25s; it was seen at 30\S*, 60\S*, 90/,
    );
    expect(await scenario('{ see: { from: alice, cmd: alive }, every: 20s, times: 3, since: there }')).toMatch(
      /was expected 3 times, every 20s; it was seen at 30/,
    );
    expect(await scenario('{ see: { from: alice, cmd: alive }, at: [30s, 60s], since: there }')).toBe('passed');
    expect(await scenario('{ see: { from: alice, cmd: alive }, at: [30s, 61s], since: there }')).toMatch(
      /was expected at 30s, 61s; it was seen at 30s, 60s/,
    );
    expect(await scenario('{ see: { from: alice, cmd: dial }, times: 2 }')).toMatch(
      /^dial from alice was expected 2 times; it was seen 1 times/,
    );
    expect(await scenario('{ see: { from: alice, cmd: dial, with: { callee_id: carol } } }')).toMatch(
      /it was seen 0 times \(there was dial 0ms with \{"callee_id":"bob"\}\)/,
    );
    expect(await scenario('{ see: { from: alice, cmd: dial, with: { reason: busy } } }')).toMatch(
      /it was seen 0 times \(there was dial 0ms without reason\)/,
    );
  });

  it('that expect a refusal fail with another code and without a refusal', async () => {
    const dial = (fails: string) => `  - { do: alice.dial, with: { callee: alice }${fails} }\n`;
    expect(await verdict(dial(', fails: 1800101'))).toBe('passed');
    expect(await verdict(dial(', fails: 1800300'))).toBe(
      'alice.dial was expected to fail with 1800300; it failed with 1800101',
    );
    expect(await verdict(dial(''))).toMatch(/^alice.dial failed: .* \(1800101\)$/);
    expect(await verdict('  - { do: alice.dial, with: { callee: bob }, fails: 1400103 }\n')).toBe(
      'alice.dial was expected to fail with 1400103; it did not fail',
    );
  });

  it('cases run one by one with their values, and `when` leaves steps out', async () => {
    const results = await run(
      `${CONNECTED}  - { do: alice.end, when: $case.who == alice }\n  - { do: bob.end, when: not $case.who == alice }\n  - { expect: { alice.call.endedBy: $case.who }, within: 1s }\n`,
      `${HEAD}cases: [{ who: alice }, { who: bob }, { who: carol }]\n`,
    );
    expect(results.map(({ case: name, state }) => [name, state])).toEqual([
      ['who alice', 'passed'],
      ['who bob', 'passed'],
      ['who carol', 'failed'],
    ]);
  });
});

async function verdictOf(text: string): Promise<string> {
  const [result] = await runScenario(readScenario('mine.yaml', text), {
    name: 'virtual',
    world: virtualWorld,
    stopwatch: () => 0,
  });
  return result?.failure?.message ?? result?.state ?? 'no result';
}

describe('faults', () => {
  it('affect as many messages as the scenario says, and end after their time', async () => {
    const offers = (strikes: string) =>
      `  - { fault: { kind: drop, from: alice, cmd: offer }${strikes} }\n${CONNECTED.slice(1).replace('within: 5s', 'within: 3s')}`;
    expect(await verdict(offers(', first: 1'))).toBe('passed');
    expect(await verdict(offers(', nth: 2'))).toBe('passed');
    expect(await verdict(offers(''))).toMatch(/^not true/);
    const cut = (until: string) =>
      `${CONNECTED}  - { fault: { kind: media, actor: bob }${until} }\n  - { expect: { alice.call.state: connected }, for: 20s }\n`;
    expect(await verdict(cut(', until: 5s'))).toBe('passed');
    expect(await verdict(cut(''))).toMatch(/but not for 20s/);
  });

  it('are in the trace, with their effect on a message', async () => {
    const [result] = await run(
      `  - { fault: { kind: delay, from: alice, cmd: dial, by: 40ms }, as: slow }\n  - { do: alice.dial, with: { callee: bob } }\n  - { wait: 1s }\n  - { clear: slow }\n`,
    );
    const kept = result?.trace.filter(({ kind }) => kind === 'fault' || kind === 'message').map(traceLine) ?? [];
    expect(kept[0]).toContain('"what":"delay from alice cmd dial by 40ms","on":true');
    expect(kept[1]).toContain('"fate":"delayed 40 ms"');
    expect(kept.at(-1)).toContain('"on":false');
  });

  it('end once: by their name, and not again after their time', async () => {
    const [result] = await run(
      `  - { fault: { kind: media, actor: bob }, as: cut, until: 5s }\n  - { wait: 1s }\n  - { clear: cut }\n  - { wait: 10s }\n`,
    );
    const told = result?.trace
      .filter(({ kind }) => kind === 'fault')
      .map(({ at, ...event }) => [at, 'on' in event && event.on]);
    expect(told).toEqual([
      [0, true],
      [1_000, false],
    ]);
  });
});

describe('a trace', () => {
  it('is the same for the same seed, byte by byte, and has no secret', async () => {
    const steps = `${CONNECTED}  - { fault: { kind: media, actor: bob }, until: 20s }\n  - { wait: 40s }\n`;
    const lines = async () => (await run(steps))[0]?.trace.map(traceLine).join('\n') ?? '';
    const first = await lines();
    expect(first.length).toBeGreaterThan(5_000);
    expect(await lines()).toBe(first);
    expect(first).not.toMatch(/a=candidate|a=ice-pwd|token-0|"password":"(?!\*)/);
    expect(first).toContain('a=ice-ufrag');
  });

  it('must show what a scenario claims', async () => {
    const claim = (ids: string) => verdict(`${CONNECTED}  - { do: alice.end }\n`, `${HEAD}spec: [${ids}]\n`);
    expect(await claim('DC-29, DC-36')).toBe('passed');
    expect(await claim('DC-29, DC-38')).toBe('the trace does not show what the scenario claims: DC-38');
    expect(await claim('RM-01')).toContain('RM-01');
  });

  it('without events proves no claim', () => {
    for (const [id, shows] of Object.entries(EVIDENCE))
      expect(
        shows([], () => 0),
        id,
      ).toBe(false);
  });
});

describe('values', () => {
  it('match by equality, comparison, pattern, presence and parts', () => {
    expect(fits(3, 3)).toBe(true);
    expect(fits('3', 3)).toBe(false);
    expect([fits(3, '>= 3'), fits(3, '> 3'), fits(3, '< 4'), fits(3, '!= 4'), fits('x', '>= 3')]).toEqual([
      true,
      false,
      true,
      true,
      false,
    ]);
    // At the bound itself only the comparisons that include it match.
    expect(['< 3', '<= 3', '> 3', '>= 3', '!= 3'].map((wanted) => fits(3, wanted))).toEqual([
      false,
      true,
      false,
      true,
      false,
    ]);
    expect([fits('offer', '/^off/'), fits('no offer', '/^off/')]).toEqual([true, false]);
    expect([fits(0, 'any'), fits(undefined, 'any')]).toEqual([true, false]);
    expect([fits({ a: 1, b: { c: 2 } }, { b: { c: 2 } }), fits({ a: 1 }, { b: 1 })]).toEqual([true, false]);
    expect([fits([1, 2], [1, '> 1']), fits([1], [1, 2])]).toEqual([true, false]);
  });

  it('references are replaced; conditions hold or do not', () => {
    const scope = { case: { end: 'connected', stays: false, list: ['1s'] }, call: { id: 'c-1' } };
    expect(fillIn({ a: '$case.list', b: 'x/$call.id/y', c: '$case.none' }, scope)).toEqual({
      a: ['1s'],
      b: 'x/c-1/y',
      c: undefined,
    });
    expect(fillIn('$case.constructor', scope)).toBeUndefined();
    expect(
      ['$case.end == connected', '$case.end != connected', 'not $case.stays', '$case.stays'].map((text) =>
        holds(text, scope),
      ),
    ).toEqual([true, false, true, false]);
  });
});
