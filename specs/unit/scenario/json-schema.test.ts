import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { scenarioJsonSchema } from '../../../sim/scenario/format/json-schema.ts';

const accepts = new Ajv({ allErrors: true }).compile(scenarioJsonSchema());

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
    ['a label on a fragment', withStep('{ use: other.yaml, label: there }')],
    ['a fragment with actors', 'fragment: mine\nactors: {}\nsteps: []\n'],
    ['a fragment with a step that is none', 'fragment: mine\nsteps: [{ wait: 2 }]\n'],
  ])('refuses %s', (_, text) => {
    expect(accepts(parse(text))).toBe(false);
  });

  it('accepts names in both cases, spans and references', () => {
    const steps = ['{ do: alice.dial, as: FirstCall }', '{ wait: 1.5m }', '{ wait: $case.pause, label: pausedOnce }'];
    expect(steps.map((step) => accepts(parse(withStep(step))))).toEqual([true, true, true]);
  });
});
