import { describe, expect, it } from 'vitest';
import { drawCall } from '../../../sim/scenario/explore/draw-call.ts';
import { readScenario } from '../../../sim/scenario/format/read-scenario.ts';
import type { WorldName } from '../../../sim/scenario/format/tree.ts';
import { type CaseResult, runScenario } from '../../../sim/scenario/run/run-scenario.ts';
import { virtualWorld } from '../../../sim/scenario/virtual/virtual-world.ts';

const HEAD = 'scenario: mine\nactors: { alice: { user: alice }, bob: { user: bob } }\n';
const CALL = `
  - { do: alice.dial, with: { callee: bob, video: true }, as: call }
  - { expect: { bob.call.state: ringing }, within: 1s }
  - { do: bob.accept }
  - { expect: { alice.call.state: connected, bob.call.state: connected }, within: 5s }
`.slice(1);
const ENDED = '  - { do: alice.end }\n  - { expect: { bob.call.state: ended, alice.call.state: ended }, within: 3s }\n';

async function run(steps: string, head = HEAD, name: WorldName = 'virtual'): Promise<CaseResult> {
  const [result] = await runScenario(readScenario('mine.yaml', `${head}steps:\n${steps}`), {
    name,
    world: virtualWorld,
    stopwatch: () => 0,
  });
  if (!result) throw new Error('no case was run');
  return result;
}

const verdict = async (steps: string, head?: string) => {
  const { failure, state } = await run(steps, head);
  return failure?.message ?? state;
};

describe('an action without effect', () => {
  it.each([
    ['bob.accept', CALL, 'accept in connected: nothing to accept'],
    ['alice.unmute', CALL, 'localAudio stays true, in connected'],
    ['alice.startVideo', CALL, 'localVideo stays true, in connected'],
    ['alice.end', CALL + ENDED, 'the call is ended'],
    ['bob.decline', CALL + ENDED, 'the call is ended'],
    ['alice.cancel', CALL + ENDED, 'the call is ended'],
    ['alice.mute', CALL + ENDED, 'localAudio stays true, in ended'],
    ['alice.hold', CALL + ENDED, 'the call is over'],
    ['alice.stopScreenShare', CALL + ENDED, 'sharing stays false, in ended'],
    ['alice.stopRecording', CALL, 'nothing is recorded'],
    ['alice.former', CALL, 'there is no other call'],
    ['alice.signOut', '  - { do: alice.signOut }\n', 'no user is signed in'],
  ])('%s fails its step with the observed state, unless the step may be idle', async (action, before, why) => {
    expect(await verdict(`${before}  - { do: ${action} }\n`)).toBe(`${action} had no effect: ${why}`);
    expect(await verdict(`${before}  - { do: ${action}, idle: true }\n`)).toBe('passed');
    expect(await verdict(`${before}  - { do: ${action}, idle: false }\n`)).toBe(`${action} had no effect: ${why}`);
  });

  it('fails at the place of its step', async () => {
    const { failure } = await run(`${CALL}  - { do: bob.accept }\n`);
    expect(failure?.place).toEqual({ file: 'mine.yaml', line: 8, column: 7 });
  });

  it('may be permitted by a case', async () => {
    const steps = `${CALL}  - { do: bob.accept, idle: $case.again }\n`;
    expect(await verdict(steps, `${HEAD}cases: [{ again: true }]\n`)).toBe('passed');
    expect(await verdict(steps, `${HEAD}cases: [{ again: false }]\n`)).toContain('nothing to accept');
  });

  it('does not satisfy a step that expects a failure', async () => {
    expect(await verdict(`${CALL}  - { do: bob.accept, fails: 1400105 }\n`)).toBe(
      'bob.accept was expected to fail with 1400105; it did not fail',
    );
  });
});

describe('an action with an effect', () => {
  it('may be performed by a step that may be idle', async () => {
    expect(
      await verdict(`${CALL}  - { do: alice.mute, idle: true }\n  - { expect: { alice.call.localAudio: false } }\n`),
    ).toBe('passed');
  });
});

describe('a random story', () => {
  it('lets every action except the dial be idle, so that its file can run', () => {
    const acts = [1, 2, 3, 4, 5].flatMap((seed) => drawCall(seed).steps.filter(({ verb }) => verb === 'do'));
    expect(acts.length).toBeGreaterThan(10);
    for (const act of acts)
      expect(act).toMatchObject(act.verb === 'do' && act.do === 'alice.dial' ? {} : { idle: true });
  });
});

describe('an accept or an end that the exchange refuses', () => {
  const RINGING = CALL.split('\n').slice(0, 2).join('\n') + '\n';
  const refused = (command: string, code = 1400105) =>
    `  - { fault: { kind: refuse, from: bob, cmd: ${command}, code: ${code} }, first: 1 }\n`;

  it.each([
    ['accept', RINGING, 'accept'],
    ['decline', RINGING, 'decline'],
    ['end', CALL, 'end'],
  ])('fails the case at the step of the %s, also when a later step is under way', async (action, before, command) => {
    const { failure } = await run(`${before}${refused(command)}  - { do: bob.${action} }\n  - { wait: 2s }\n`);
    expect(failure).toEqual({
      place: { file: 'mine.yaml', line: before.split('\n').length + 4, column: 7 },
      message: `bob.${action} failed: ERR_NO_PERMISSION (1400105)`,
    });
  });

  it('fails the case also when the action is the last step', async () => {
    const last = `${RINGING}${refused('accept')}  - { do: bob.accept }\n`;
    expect(await verdict(last)).toBe('bob.accept failed: ERR_NO_PERMISSION (1400105)');
  });

  it.each([
    ['virtual', 5_000],
    ['scaled', 5_000],
    ['real', 1_000],
  ] as const)('is awaited after the last step, in the %s world for at most %i ms', async (name, ms) => {
    const lost = '  - { fault: { kind: drop, to: bob, cmd: end_ack } }\n  - { do: bob.end }\n';
    const { state, simulatedMs, trace } = await run(`${CALL}${lost}`, HEAD, name);
    const ended = trace.findLast((event) => event.kind === 'step');
    expect([state, simulatedMs - (ended?.at ?? 0)]).toEqual(['passed', ms]);
  });

  it.each([
    ['accept', RINGING, 'accept'],
    ['decline', RINGING, 'decline'],
    ['end', CALL, 'end'],
  ])('fits the fails of %s, and fails its step with waits', async (action, before, command) => {
    const steps = (rest: string) => `${before}${refused(command)}  - { do: bob.${action}, ${rest} }\n`;
    expect(await verdict(steps('fails: 1400105'))).toBe('passed');
    expect(await verdict(steps('fails: 1400101'))).toBe(
      `bob.${action} was expected to fail with 1400101; it failed with 1400105`,
    );
    expect(await verdict(steps('waits: true'))).toBe(`bob.${action} failed: ERR_NO_PERMISSION (1400105)`);
    expect(await verdict(`${steps('waits: false')}  - { wait: 2s }\n`)).toBe('passed');
  });

  it.each(['', ', waits: true'])(
    'is permitted by idle%s when the call had changed before, and only then',
    async (rest) => {
      const steps = (code: number) =>
        `${RINGING}${refused('accept', code)}  - { do: bob.accept, idle: true${rest} }\n  - { wait: 1s }\n`;
      expect(await verdict(steps(1400101))).toBe('passed');
      expect(await verdict(steps(1400105))).toBe('bob.accept failed: ERR_NO_PERMISSION (1400105)');
    },
  );

  it('is not blamed on an earlier action of the device whose answer was lost', async () => {
    const lost =
      '  - { fault: { kind: drop, to: bob, cmd: end_ack }, as: lost }\n  - { do: bob.end }\n  - { wait: 1s }\n  - { clear: lost }\n';
    const again = CALL.replace('as: call', 'as: again');
    const steps = `${CALL}${lost}${again}${refused('end')}`;
    expect(await verdict(`${steps}  - { do: bob.end, fails: 1400105 }\n`)).toBe('passed');
    expect(await verdict(`${steps}  - { do: bob.end, waits: false }\n  - { wait: 1s }\n`)).toBe('passed');
    const { failure } = await run(`${steps}  - { do: bob.end }\n`);
    expect(failure?.place?.line).toBe(`${HEAD}steps:\n${steps}`.split('\n').length);
  });

  it('has not failed when the exchange answers it: its step waits until the call is established, or the reply', async () => {
    const accept = `${RINGING}  - { do: bob.accept, waits: true }\n  - { expect: { bob.call.state: established } }\n`;
    expect(await verdict(accept)).toBe('passed');
    const end = '  - { do: alice.end, waits: true }\n  - { expect: { server.calls: 0 } }\n';
    expect(await verdict(`${CALL}${end}`)).toBe('passed');
    expect(await verdict(`${CALL}  - { do: alice.end, fails: 1400101 }\n`)).toBe(
      'alice.end was expected to fail with 1400101; it did not fail',
    );
  });

  it('fails a step that waits when the call ends before its accept', async () => {
    const steps = `${RINGING}  - { fault: { kind: delay, from: bob, cmd: accept, by: 1s } }\n  - { do: alice.cancel }\n  - { do: bob.accept, waits: true }\n`;
    expect(await verdict(steps)).toBe('bob.accept failed: the call ended first');
    expect(await verdict(steps.replace('waits: true', 'waits: true, idle: true'))).toBe('passed');
    expect(await verdict(steps.replace('waits: true', 'fails: 1400101, idle: true'))).toBe(
      'bob.accept was expected to fail with 1400101; it failed: the call ended first',
    );
  });

  it('is answered over HTTP while the channel is closed', async () => {
    const closed =
      '  - { fault: { kind: ws, actor: bob, how: refuse }, label: cut }\n  - { expect: { bob.ws: closed }, within: 20s }\n';
    expect(await verdict(`${CALL}${closed}  - { do: bob.end, waits: true }\n`)).toBe('passed');
  });

  it('cannot be waited for when the action gets no answer, nor expected when it is never refused', () => {
    const read = (step: string) => () => readScenario('mine.yaml', `${HEAD}steps:\n${CALL}  - ${step}\n`);
    expect(read('{ do: bob.mute, waits: true }')).toThrow('mute gets no answer of the exchange: remove waits');
    expect(read('{ do: bob.former, fails: 1400101 }')).toThrow('former is never refused: remove fails');
    expect(read('{ do: bob.mute, fails: 1800300 }')).not.toThrow();
  });
});

describe('the failure of an expect', () => {
  const waitsFor = '  - { expect: { bob.call.state: ringing }, within: 1s }\n';

  it('quotes the refusals of earlier actions that no step expected', async () => {
    const refused = 'alice.dial was refused: 1400103 ERR_CALLEE_DOES_NOT_EXIST';
    const dial = '  - { do: alice.dial, with: { callee: zoe } }\n';
    expect(await verdict(`${dial}${waitsFor}`)).toBe(
      `not true within 1.005s: bob.call.state is nothing, not ringing (${refused})`,
    );
    const expected = '  - { do: alice.dial, with: { callee: zoe }, fails: 1400103 }\n';
    expect(await verdict(`${expected}${waitsFor}`)).toBe(
      'not true within 1.005s: bob.call.state is nothing, not ringing',
    );
  });

  it('is not reached with a callee that is nearly the user of an actor', () => {
    const read =
      (callee: string, rest = '') =>
      () =>
        readScenario('mine.yaml', `${HEAD}steps:\n  - { do: alice.dial, with: { callee: ${callee} }${rest} }\n`);
    expect(read('bbo')).toThrow('mine.yaml:4:31: no actor is the user bbo (did you mean bob?)');
    expect(read('bbo', ', fails: 1400103')).not.toThrow();
    expect(read('zoe')).not.toThrow();
  });
});
