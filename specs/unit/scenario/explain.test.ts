/** The descriptions of the words of scenario files. */
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { explain, type Explanation, TOPICS, wordsOf } from '../../../sim/scenario/format/explain.ts';
import { readScenario } from '../../../sim/scenario/format/read-scenario.ts';
import { VERBS } from '../../../sim/scenario/format/tree.ts';

const ALL: Explanation[] = TOPICS.flatMap((topic) => wordsOf(topic).map((name) => explain(topic, name) as Explanation));
const nameOf = ({ topic, name }: Explanation) => `${topic} ${name}`;
const isSentence = (text: string) => /^\S.*[.`]$/.test(text);

/** A scenario in which the names of the examples exist. */
const around = (step: string) =>
  [
    'scenario: example',
    'nodes: 3',
    'actors: { alice: { user: alice }, bob: { user: bob }, carol: { user: carol } }',
    'steps:',
    '  - { do: alice.createRoom, as: room }',
    '  - { do: alice.dial, with: { callee: bob }, as: call }',
    '  - { fault: { kind: ws, actor: alice, how: vanish }, as: cut, label: cut }',
    `  - ${step}`,
  ].join('\n');
const fragment = { file: 'fragment.yaml', text: 'fragment: pause\nsteps: [{ wait: 1s }]\n' };

describe('the descriptions of the words of scenarios', () => {
  it('exist for every action, fault, path, verb, bound and file, and for each of their keys', () => {
    expect(ALL.length).toBeGreaterThan(150);
    const missing = ALL.flatMap((one) => [
      ...(isSentence(one.description) ? [] : [nameOf(one)]),
      ...one.parts.filter(({ description }) => !isSentence(description)).map(({ name }) => `${nameOf(one)}: ${name}`),
    ]);
    expect(missing).toEqual([]);
  });

  it('name the type of each path, bound and key, and a meaning of each value with meanings', () => {
    const types = ALL.flatMap(({ type, parts }) => [type ?? 'none', ...parts.map((part) => part.type)]);
    expect(types.filter((type) => type === '' || type.includes('undefined'))).toEqual([]);
    const meanings = ALL.flatMap((one) => [one, ...one.parts]).flatMap((one) => Object.entries(one.meanings ?? {}));
    expect(meanings.length).toBeGreaterThan(100);
    expect(meanings.filter(([, meaning]) => meaning === '')).toEqual([]);
  });

  it.each(ALL.filter(({ topic }) => ['action', 'fault', 'verb', 'bound'].includes(topic)))(
    'of $topic $name have an example that the reader accepts',
    ({ topic, name, example = '' }) => {
      const { steps } = readScenario('example.yaml', around(example), () => fragment);
      const step = steps[3] as unknown as Record<string, unknown>;
      const named = {
        action: /^\w+\.(\w+)$/.exec(String(step['do']))?.[1],
        fault: (step['fault'] as { kind?: string } | undefined)?.kind,
        verb: VERBS.find((verb) => example.startsWith(`{ ${verb}:`)),
        bound: name in step ? name : undefined,
      }[topic as string];
      expect(named).toBe(name);
    },
  );

  it('of a key of the head have the keys in it, and an example that the reader accepts', () => {
    const keys = (name: string) => explain('head', name)?.parts.map((part) => part.name);
    expect(keys('actors')).toEqual(['user', 'devices', 'online']);
    expect(keys('timers')).toEqual(['ring', 'connection']);
    expect(keys('worlds')).toEqual(['virtual', 'real', 'scaled', 'browser']);
    expect(keys('cases')).toEqual(['name', 'spec']);
    for (const name of ['actors', 'timers', 'worlds', 'cases']) {
      const { example = '' } = explain('head', name) ?? {};
      const actors = name === 'actors' ? '' : 'actors: { alice: { user: alice } }\n';
      expect(Object.keys(readScenario('e.yaml', `scenario: e\n${actors}${example}\nsteps: []\n`))).toContain(name);
    }
  });

  it('of a fragment have an example that a scenario can use', () => {
    const text = explain('fragment', 'fragment')?.example ?? '';
    const { steps } = readScenario('example.yaml', around('{ use: f.yaml }'), () => ({ file: 'f.yaml', text }));
    expect(stringify(steps.at(-1))).toContain('wait: 3s');
  });

  it('know the names of the words only', () => {
    expect(explain('action', 'toString')).toBeUndefined();
    expect(explain('path', 'constructor')).toBeUndefined();
  });
});
