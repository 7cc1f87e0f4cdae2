import { expect, it } from 'vitest';
import { takeTestStep, waitingStep } from '../../../cli/testing/host/take-test-step.ts';
import { readScenario } from '../../../sim/scenario/format/read-scenario.ts';
import { Story } from '../../../sim/scenario/run/story.ts';
import { virtualWorld } from '../../../sim/scenario/virtual/virtual-world.ts';

const CALL = `
scenario: mine
actors: { alice: { user: alice }, bob: { user: bob } }
steps:
  - { do: alice.dial, with: { callee: bob } }
  - { expect: { bob.call.state: ringing }, within: 1s }
  - { do: bob.accept }
  - { expect: { alice.call.state: connected, bob.call.state: connected }, within: 5s }
`;

/** Takes the steps of a test in a call, as the kit does: each in a separate story. Returns how long the last one took. */
async function take(...steps: readonly string[]): Promise<number> {
  const scenario = readScenario('mine.yaml', `${CALL}${steps.map((step) => `  - ${step}\n`).join('')}`);
  const world = await virtualWorld(scenario, 1, {});
  let began = 0;
  try {
    for (const [at, step] of scenario.steps.entries()) {
      began = world.now;
      await takeTestStep(step, new Story(world, {}), at + 1);
    }
    return world.now - began;
  } finally {
    await world.close();
  }
}

const refused = (code: number) => `{ fault: { kind: refuse, from: bob, cmd: end, code: ${code} }, first: 1 }`;
const END = '{ do: bob.end }';

it('waits for the answer of an action, if it gets one, and for that of an end with a limit', () => {
  const answered = { do: 'bob.hold', waits: true };
  expect(waitingStep({ do: 'bob.hold' })).toEqual(answered);
  for (const written of [{ do: 'bob.phone.end' }, { do: 'bob.decline' }, { do: 'bob.cancel' }, { do: 'bob.mute' }])
    expect(waitingStep(written)).toBe(written);
  expect(waitingStep({ see: { cmd: 'end' } })).toEqual({ see: { cmd: 'end' } });
});

it('ends a call as soon as the exchange answers', async () => {
  expect(await take(END)).toBeLessThan(10);
});

it('ends a call without a network, and does not wait long', async () => {
  expect(await take('{ fault: { kind: network, actor: bob } }', END)).toBe(1_000);
});

it('ends a call that the other user ended at the same time', async () => {
  await take(refused(1400101), END);
  await take(refused(1400102), END);
});

it('reports any other refusal of an end, with its code', async () => {
  await expect(take(refused(1400105), END)).rejects.toMatchObject({
    message: 'bob.end failed: ERR_NO_PERMISSION (1400105)',
    cause: { code: 1400105 },
  });
});

it('reports the late refusal of another action', async () => {
  const late = '{ fault: { kind: refuse, from: alice, cmd: hold, code: 1400101 }, first: 1 }';
  await expect(take(late, '{ do: alice.hold }')).rejects.toMatchObject({ cause: { code: 1400101 } });
});
