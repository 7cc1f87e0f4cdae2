import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { explain, wordsOf } from '../../../sim/scenario/format/explain.ts';
import { scenarioJsonSchema } from '../../../sim/scenario/format/json-schema.ts';

/** The keywords that editors read, and validators do not. */
const FOR_EDITORS = ['defaultSnippets', 'patternErrorMessage', 'errorMessage'];
const validator = (schema: object) => new Ajv({ allErrors: true }).addVocabulary(FOR_EDITORS).compile(schema);
const accepts = validator(scenarioJsonSchema());

const TUTORIAL = 'docs/first-scenarios.md';
const stories = [...readFileSync(TUTORIAL, 'utf8').matchAll(/^```yaml\n(.*?)^```$/gms)].map(([, text = '']) => text);

const FOLDER = 'fixtures/scenarios';
const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.yaml'));

const HEAD = 'scenario: mine\nactors: { alice: { user: alice }, bob: { user: bob } }\n';
const withStep = (step: string) => `${HEAD}steps:\n  - ${step}\n`;

describe('the JSON Schema of scenarios', () => {
  it('accepts every built-in scenario and fragment', () => {
    expect(files.length).toBeGreaterThan(70);
    const refused = files.filter((name) => !accepts(parse(readFileSync(join(FOLDER, name), 'utf8'))));
    expect(refused).toEqual([]);
  });

  it('accepts every file of the tutorial, also one whose cases name the actor and the action', () => {
    expect(stories).toHaveLength(10);
    expect(stories.filter((text) => !accepts(parse(text)))).toEqual([]);
    const acts = ['$case.who.$case.act', 'bob.$case.act', '$case.who.accept', 'bob.$case.device.accept'];
    expect(acts.filter((act) => !accepts(parse(withStep(`{ do: ${act} }`))))).toEqual([]);
  });

  it.each([
    ['nothing', ''],
    ['no name', 'actors: {}\nsteps: []\n'],
    ['no actors', 'scenario: mine\nsteps: []\n'],
    ['a key nobody knows', `${HEAD}speed: 2\nsteps: []\n`],
    ['an actor without a user', 'scenario: mine\nactors: { alice: {} }\nsteps: []\n'],
    ['a claim that is no id', `${HEAD}spec: [ringing]\nsteps: []\n`],
    ['no verb', withStep('{ label: there }')],
    ['a verb nobody knows', withStep('{ expct: { alice.call.state: dialing } }')],
    ['two verbs', withStep('{ do: alice.end, wait: 2s }')],
    ['a bound nobody knows', withStep('{ expect: { alice.call.state: dialing }, wihtin: 2s }')],
    ['a time without a unit', withStep('{ wait: 2 }')],
    ['a time with a unit nobody knows', withStep('{ wait: 2 minutes }')],
    ['a fault of no kind', withStep('{ fault: { kind: explode, actor: alice } }')],
    ['a fault that lacks something', withStep('{ fault: { kind: ws, actor: alice } }')],
    ['a fault without its way', withStep('{ fault: { kind: ws, actor: alice, how: bluntly } }')],
    ['an action that does not exist', withStep('{ do: alice.dail, with: { callee: bob } }')],
    ['a parameter that does not exist', withStep('{ do: alice.dial, with: { callee: bob, vidoe: true } }')],
    ['a parameter of the wrong type', withStep('{ do: bob.accept, with: { hold: 3 } }')],
    ['an action without a parameter that it needs', withStep('{ do: alice.dial }')],
    ['a path that does not exist', withStep('{ expect: { alice.call.stat: ringing } }')],
    ['a value that is never at its path', withStep('{ expect: { alice.call.state: rining } }')],
    ['a value of the wrong type', withStep('{ expect: { alice.call.onHold: 3 } }')],
    ['an item that a list never has', withStep('{ expect: { server.results: [complete] } }')],
    ['a wrong value that must not be', withStep('{ never: { expect: { alice.call.state: rining } } }')],
    ['a path of an actor at the exchange', withStep('{ expect: { server.ws: open } }')],
    ['a wrong parameter of an actor of the case', withStep('{ do: $case.who.accept, with: { hold: 3 } }')],
    ['two bounds', withStep('{ expect: { alice.call.state: ended }, within: 2s, at: 1s }')],
    ['two bounds of an event', withStep('{ see: { cmd: end }, every: 2s, between: [1s, 2s] }')],
    ['two kinds of events', withStep("{ see: { cmd: end, http: 'GET /' } }")],
    ['an event of no kind', withStep('{ never: { from: alice } }')],
    ['a message that does not exist', withStep('{ see: { cmd: dail } }')],
    ['a message that does not exist and must not be', withStep('{ never: { cmd: dail } }')],
    ['a label on a fragment', withStep('{ use: other.yaml, label: there }')],
    ['a fragment with actors', 'fragment: mine\nactors: {}\nsteps: []\n'],
    ['a fragment with a step that is none', 'fragment: mine\nsteps: [{ wait: 2 }]\n'],
  ])('refuses %s', (_, text) => {
    expect(accepts(parse(text))).toBe(false);
  });

  it('accepts comparisons, patterns and references as values, also of devices and in lists', () => {
    const steps = [
      "{ expect: { alice.call.duration: '>= 3', server.calls: $case.calls } }",
      '{ expect: { bob.phone.call.state: /^off/, bob.phone.ws: any, server.results: [$case.end] } }',
      '{ do: bob.phone.accept, with: { hold: $case.hold } }',
    ];
    expect(steps.map((step) => accepts(parse(withStep(step))))).toEqual([true, true, true]);
  });

  it('describes actions, parameters, faults, keys and paths', () => {
    const descriptions = new Set(
      [...JSON.stringify(scenarioJsonSchema()).matchAll(/"description":"((?:[^"\\]|\\.)*)"/g)].map(([, text]) => text),
    );
    const words = (['action', 'path', 'verb', 'bound'] as const).flatMap((topic) =>
      wordsOf(topic).map((name) => explain(topic, name)),
    );
    const faults = wordsOf('fault').map((name) => explain('fault', name));
    const expectedTexts = [...words, ...faults, ...[...words, ...faults].flatMap((word) => word?.parts ?? [])];
    const has = (text: string) =>
      [...descriptions].some((one = '') => one.startsWith(JSON.stringify(text).slice(1, -1)));
    expect(expectedTexts.filter((one) => !has(one?.description ?? '-')).map((one) => one?.name)).toEqual([]);
  });

  it('accepts names in both cases, spans and references', () => {
    const steps = [
      '{ do: alice.dial, with: { callee: bob }, as: FirstCall }',
      '{ wait: 1.5m }',
      '{ wait: $case.pause, label: pausedOnce }',
    ];
    expect(steps.map((step) => accepts(parse(withStep(step))))).toEqual([true, true, true]);
  });
});

describe('the JSON Schema of one file', () => {
  const scope = { devices: ['alice', 'bob.phone', 'bob.laptop'], names: ['alice', 'bob', 'bob.phone', 'bob.laptop'] };
  const schema = scenarioJsonSchema(scope) as {
    readonly definitions: Readonly<Record<string, { readonly [key: string]: unknown }>>;
  };
  const acceptsHere = validator(schema);
  const fits = (step: string) => acceptsHere(parse(withStep(step)));

  it('enumerates the actions of its devices, and the paths with their values, so that an editor completes them', () => {
    const [act] = (schema.definitions['step'] ?? {})['oneOf'] as [
      { readonly properties: { readonly do: { readonly anyOf: readonly [{ readonly enum: readonly string[] }] } } },
    ];
    const acts = act.properties.do.anyOf[0].enum;
    expect(acts).toEqual(expect.arrayContaining(['alice.dial', 'bob.phone.accept', 'bob.laptop.enter']));
    expect(acts).not.toContain('bob.accept');
    const paths = schema.definitions['expected']?.['properties'] as Record<string, { readonly $ref: string }>;
    expect(Object.keys(paths)).toEqual(expect.arrayContaining(['bob.phone.call.state', 'alice.ws', 'server.calls']));
    const { $ref = '' } = paths['bob.phone.call.state'] ?? {};
    const state = schema.definitions[$ref.replace('#/definitions/', '')];
    expect(state).toMatchObject({ description: expect.stringContaining('The state of the call.') });
    expect(JSON.stringify(state)).toContain('"ringing"');
  });

  it('refuses actors that the file does not have', () => {
    const right = [
      '{ do: bob.phone.accept }',
      '{ do: $case.who.accept }',
      '{ expect: { bob.laptop.call.state: ringing } }',
      '{ see: { from: bob, cmd: end } }',
    ];
    expect(right.filter((step) => !fits(step))).toEqual([]);
    const wrong = [
      '{ do: carol.accept }',
      '{ expect: { carol.call.state: ringing } }',
      '{ see: { from: carol, cmd: end } }',
      '{ never: { to: carol, cmd: end } }',
    ];
    expect(wrong.filter(fits)).toEqual([]);
  });
});
