import { expect, it } from 'vitest';
import { InvalidFile } from '../../../sim/format/source.ts';
import { readScenario } from '../../../sim/scenario/format/read-scenario.ts';
import { runScenario } from '../../../sim/scenario/run/run-scenario.ts';
import { virtualWorld } from '../../../sim/scenario/virtual/virtual-world.ts';

const tableOf = (cases: readonly string[], step: string): string => `scenario: table
actors: { alice: { user: alice }, bob: { user: bob, devices: [phone, laptop] } }
cases:
${cases.map((one) => `  - { ${one} }\n`).join('')}steps:
  - { do: alice.dial, with: { callee: bob } }
  - { expect: { bob.phone.call.state: ringing }, within: 1s }
  - { ${step} }
  - { expect: { alice.call.outcome: $case.end }, within: 2s }
`;

const CASES = [
  'name: declined, who: bob.phone, act: decline, end: declined',
  'name: canceled, who: alice, act: cancel, end: canceled',
  'name: ignored, who: none, act: none, end: dialing',
];

function faultsOf(text: string): string[] {
  try {
    readScenario('table.yaml', text);
    return [];
  } catch (error) {
    if (!(error instanceof InvalidFile)) throw error;
    return error.faults.map(({ line, message }) => `${line}: ${message}`);
  }
}

it('a case whose actor is a map is refused with the map', () => {
  const [fault] = faultsOf(tableOf(['who: { who: bob, act: accept }, end: completed'], 'do: $case.who.accept'));
  expect(fault).toMatch(/^8: there is no actor \{"who":"bob","act":"accept"\}: known are alice, bob, /);
});

it('a step takes its actor and its action from the case', async () => {
  for (const [step, cases] of [
    ['do: $case.who.$case.act, when: $case.who != none', CASES],
    ['do: $case.who.decline', CASES.slice(0, 1)],
  ] as const) {
    const scenario = readScenario('table.yaml', tableOf(cases, step));
    const results = await runScenario(scenario, { name: 'virtual', world: virtualWorld, stopwatch: () => 0 });
    expect(results.map(({ case: name, failure }) => [name, failure?.message])).toEqual(
      cases.map((one) => [/name: (\w+)/.exec(one)?.[1], undefined]),
    );
    expect(results[0]?.trace).toContainEqual(expect.objectContaining({ kind: 'step', text: 'bob.phone.decline' }));
  }
});

it('each case that takes the step must have a known actor, action and parameters', () => {
  const step = 'do: $case.who.$case.act';
  const one = (who: string, act: string) => [CASES[1] ?? '', `name: b, who: ${who}, act: ${act}, end: ended`];
  expect(faultsOf(tableOf(one('alcie', 'cancel'), step))).toEqual([
    '9: there is no actor alcie (did you mean alice?): known are alice, bob, bob.phone, bob.laptop, in case 2: alcie.cancel',
  ]);
  expect(faultsOf(tableOf(one('alice', 'cancle'), step))).toEqual([
    '9: there is no action cancle (did you mean cancel?); "ringback explain action" lists all, in case 2: alice.cancle',
  ]);
  expect(faultsOf(tableOf(one('alice', 'cancel'), `${step}, with: { vedeo: true }`))[0]).toMatch(
    /^9: cancel takes no parameters: remove vedeo, in case 1: alice\.cancel$/,
  );
  expect(faultsOf(tableOf(CASES, step))).toEqual([
    expect.stringMatching(/^10: there is no actor none.*, in case 3: none\.none$/),
  ]);
});

it('only values of the case can name an actor', () => {
  expect(faultsOf(tableOf(CASES, 'do: $call.id.accept'))[0]).toMatch(/must be an actor and an action/);
  expect(faultsOf(tableOf(CASES, 'do: $case.whoo.accept'))[0]).toMatch(/there is no actor|no case has a value whoo/);
});
