import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { findScenarios } from '../../../cli/scenarios/find-scenarios.ts';
import { ProgramReader } from '../../../cli/scenarios/program-reader.ts';
import { readScenarioFile } from '../../../cli/scenarios/read-scenario-file.ts';
import { readBuilt } from '../../../sim/scenario/builder/read-built.ts';
import type { BuiltScenario } from '../../../sim/scenario/builder/built-scenario.ts';
import { ms, scenario } from '../../../sim/scenario/builder/scenario.ts';
import { readScenario } from '../../../sim/scenario/format/read-scenario.ts';
import { InvalidFile } from '../../../sim/format/source.ts';
import type { Scenario } from '../../../sim/scenario/format/tree.ts';
import { scenarioYaml } from '../../../sim/scenario/format/write-scenario.ts';
import { scaled } from '../../../tools/run/machine-factor.ts';
import { HandClock } from '../support/hand-clock.ts';
import { TWINS } from './support/scenario-twins.ts';

/** A scenario without its places. */
const treeOf = ({ file: _, steps, ...head }: Scenario) => ({
  ...head,
  steps: steps.map(({ place: _place, ...step }) => step),
});

const read = (built: BuiltScenario) =>
  readBuilt('mine.scenario.ts', built, {
    placeOfLine: ({ line }) => ({ file: 'mine.scenario.ts', line, column: 1 }),
    open: () => undefined,
  });

/** The faults of a built scenario, without the place. */
function faultsOf(built: BuiltScenario): string[] {
  try {
    read(built);
    return [];
  } catch (error) {
    if (!(error instanceof InvalidFile)) throw error;
    return error.faults.map(({ message }) => message);
  }
}

const ACTORS = { alice: { user: 'alice' }, bob: { user: 'bob' } } as const;

describe('a scenario in TypeScript', () => {
  it.each(TWINS)('is the tree of its twin in YAML: $name', ({ built, yaml }) => {
    expect(treeOf(read(built))).toEqual(treeOf(readScenario('mine.yaml', yaml)));
  });

  it('names a moment, a fault or a call at its first use', () => {
    const built = scenario('mine', { actors: ACTORS }, ({ alice }, { fault, clear, see, expect: expects }) => {
      const call = alice.dial({ callee: 'bob' });
      const rings = expects({ 'bob.call.state': 'ringing' });
      const lost = fault({ kind: 'media', actor: 'bob' });
      see({ http: `GET /v1/direct_calls/${call.id}` }, { since: rings, within: '1s' });
      clear(lost);
    });
    expect(read(built).steps).toMatchObject([
      { as: 'call1' },
      { label: 'step2' },
      { as: 'fault3' },
      { see: { http: 'GET /v1/direct_calls/$call1.id' }, since: 'step2' },
      { clear: 'fault3' },
    ]);
  });

  it('is refused with the place and the message of the reader', () => {
    const built = scenario('mine', { actors: ACTORS, spec: ['ringing-1'] }, ({ bob }, { wait, expect: expects }) => {
      bob.accept({ audioEnabled: 'loud' as unknown as boolean });
      wait('2 minutes' as '2m');
      expects({ 'bob.call.stat': 'ringing' } as object);
      expects({ 'bob.call.state': 'rining' as 'ringing' });
    });
    expect(faultsOf(built)).toEqual([
      'spec.0 must be the id of a requirement, like DC-07; found "ringing-1"',
      expect.stringMatching(/^audioEnabled must be .*; found "loud"$/),
      'wait must be a span of time like 500ms, 2s or 1m; found "2 minutes"',
      'bob has no value call.stat (did you mean call.state?); "ringback explain path" lists all',
      'bob.call.state is never rining (did you mean ringing?)',
    ]);
  });

  it('accepts only values that YAML can express', () => {
    const withItems = (items: unknown) =>
      scenario('mine', { actors: ACTORS }, ({ alice }) => {
        alice.updateItems({ items: items as Record<string, string> });
      });
    expect(faultsOf(withItems({ made: new Date(0) }))[0]).toBe('with.items.made cannot be written as YAML: a Date');
    expect(faultsOf(withItems({ made: () => 1 }))[0]).toMatch(
      /^with\.items\.made cannot be written as YAML: a function$/,
    );
    expect(faultsOf(withItems({ made: Number.NaN }))[0]).toBe('with.items.made cannot be written as YAML: NaN');
    expect(faultsOf(withItems({ made: 'tea', other: undefined }))).toEqual([]);
  });

  it('is refused at once, without a promise', () => {
    let late: () => void = () => undefined;
    scenario('mine', { actors: ACTORS }, ({ alice }) => {
      late = () => void alice.end();
    });
    expect(late).toThrow('the scenario is over');
    const promised = () => Promise.resolve() as unknown as void;
    expect(() => scenario('mine', { actors: ACTORS }, promised)).toThrow('must not be async');
  });

  it('computes spans', () => {
    expect([0, 340, 2_500, 60_000].map(ms)).toEqual(['0ms', '340ms', '2.5s', '60s']);
  });

  it('does not compile with an unknown word', () => {
    scenario(
      'mine',
      {
        actors: { alice: { user: 'alice' }, bob: { user: 'bob', devices: ['phone', 'laptop'] } },
        cases: [{ lost: 1 }, { lost: 2 }],
      },
      ({ alice, bob }, { expect: expects, see, never, fault, clear, wait, $case }) => {
        const moment = wait('1s');
        bob.phone.accept({ audioEnabled: $case.lost });
        // @ts-expect-error an unknown action
        expect(() => alice.fly()).toThrow();
        // @ts-expect-error an unknown parameter
        alice.dial({ callee: 'bob', vidoe: true });
        // @ts-expect-error a parameter of another type
        alice.dial({ callee: 'bob', video: 'yes' });
        // @ts-expect-error a parameter is missing
        alice.dial({ video: true });
        // @ts-expect-error a parameter of an action without parameters
        alice.end({ reason: 'late' });
        // @ts-expect-error of several devices one must be named
        expect(() => bob.accept()).toThrow();
        // @ts-expect-error an unknown device
        expect(() => bob.tablet.accept()).toThrow();
        // @ts-expect-error an unknown path
        expects({ 'alice.call.stat': 'ringing' });
        // @ts-expect-error an unknown actor
        expects({ 'carol.call.state': 'ringing' });
        // @ts-expect-error an unknown state
        expects({ 'alice.call.state': 'rining' });
        // @ts-expect-error a comparison of a value that is no number
        expects({ 'alice.call.onHold': '>= 3' });
        // @ts-expect-error an unknown bound
        expects({ 'alice.call.state': 'ringing' }, { wihtin: '1s' });
        // @ts-expect-error a span without a unit
        expects({ 'alice.call.state': 'ringing' }, { within: 2 });
        // @ts-expect-error a moment that is the name of one
        expects({ 'alice.call.state': 'ringing' }, { since: 'cut' });
        // @ts-expect-error an unknown message
        see({ from: 'alice', cmd: 'ofer' });
        // @ts-expect-error an unknown actor
        never({ from: 'carol', cmd: 'offer' });
        // @ts-expect-error an unknown kind of fault
        fault({ kind: 'explode', actor: 'alice' });
        // @ts-expect-error a fault with an unknown mode
        fault({ kind: 'ws', actor: 'alice', how: 'bluntly' });
        // @ts-expect-error a fault that lacks something
        fault({ kind: 'ws', how: 'reset' });
        // @ts-expect-error a moment is no fault
        clear(moment);
        // @ts-expect-error a value the cases do not have
        wait($case.pause);
      },
    );
  });
});

describe('a scenario as YAML', () => {
  it('is the same scenario when it is read again: every built-in one', async () => {
    const { scenarios, faults } = await findScenarios([]);
    expect(faults).toEqual([]);
    expect(scenarios.length).toBeGreaterThan(80);
    for (const one of scenarios) {
      const text = scenarioYaml(one);
      const again = readScenario(one.file, text);
      expect(treeOf(again), one.scenario).toEqual(treeOf(one));
      expect(scenarioYaml(again)).toBe(text);
    }
  });

  it('is the same for each twin', () => {
    for (const { built } of TWINS) {
      const one = read(built);
      expect(treeOf(readScenario('again.yaml', scenarioYaml(one)))).toEqual(treeOf(one));
    }
  });
});

describe('a scenario file in TypeScript', () => {
  let folder: string;
  const file = (name: string) => join(folder, name);
  const HEAD = `import { scenario } from 'ringback/scenario';\nconst actors = { alice: { user: 'alice' }, bob: { user: 'bob' } };\n`;
  const write = (name: string, text: string) => {
    writeFileSync(file(name), text);
    return file(name);
  };
  const faultOf = async (name: string, text: string) => {
    const { faults } = await readScenarioFile(write(name, text));
    return faults.map(({ line, column, message }) => `${line}:${column}: ${message}`);
  };

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'ringback-builder-'));
    mkdirSync(file('shared'));
    write(
      'shared/connect.ts',
      `import type { People } from 'ringback/scenario';\nexport function connect({ alice, bob }: People<{ alice: { user: string }; bob: { user: string } }>): void {\n  alice.dial({ callee: 'bob' });\n  bob.accept();\n}\n`,
    );
    write('shared/pause.yaml', 'fragment: pause\nsteps:\n  - { wait: 1s }\n');
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('is read with all its includes, and each step has the place of its source', async () => {
    const path = write(
      'mine.scenario.ts',
      `${HEAD}import { connect } from './shared/connect.ts';\n\nexport default scenario('mine', { actors }, (people, { use, wait }) => {\n  connect(people);\n  use('shared/pause.yaml');\n    wait('2s');\n});\n`,
    );
    const { scenario: mine, faults, uses } = await readScenarioFile(path);
    expect(faults).toEqual([]);
    expect(mine?.steps.map(({ verb, place }) => [verb, place])).toEqual([
      ['do', { file: file('shared/connect.ts'), line: 3, column: 3 }],
      ['do', { file: file('shared/connect.ts'), line: 4, column: 3 }],
      ['wait', { file: file('shared/pause.yaml'), line: 3, column: 7 }],
      ['wait', { file: path, line: 8, column: 5 }],
    ]);
    expect([...uses].toSorted()).toEqual([path, file('shared/connect.ts'), file('shared/pause.yaml')].toSorted());
  });

  it('that never ends is stopped after its time, without blocking the process, and the next file is read', async () => {
    const clock = new HandClock();
    const programs = new ProgramReader(clock, 20_000);
    const good = write('good.scenario.ts', `${HEAD}export default scenario('good', { actors }, () => undefined);\n`);
    const started = file('started');
    const marks = `import { writeFileSync } from 'node:fs';\nwriteFileSync(${JSON.stringify(started)}, '');\n`;
    for (const [name, text] of [
      ['loop', `${marks}while (true);\n`],
      ['promise', `${marks}await new Promise(() => undefined);\n`],
    ] as const) {
      const path = write(`${name}.scenario.ts`, text);
      const [hanging, next] = [programs.read(path), programs.read(good)];
      await vi.waitFor(() => expect(existsSync(started)).toBe(true), { timeout: scaled(20_000) });
      rmSync(started);
      clock.advance(20_000);
      const why = 'the file did not load within 20s: look for an endless loop, or a promise that never settles';
      expect(await hanging).toEqual({ faults: [{ file: path, line: 1, column: 1, message: why }], uses: [path] });
      expect((await next).scenario?.scenario).toBe('good');
    }
  });

  it('that ends its process, or fails later, is a fault of the file', async () => {
    expect(await faultOf('exits.scenario.ts', 'process.exit(0);\n')).toEqual(['1:1: the file ended its process']);
    const later = `setTimeout(() => { throw new Error('later'); });\nawait new Promise(() => undefined);\n`;
    expect(await faultOf('throws.scenario.ts', later)).toEqual(['1:1: later']);
  });

  it('is refused when building it twice gives two scenarios', async () => {
    const [fault] = await faultOf(
      'random.scenario.ts',
      `${HEAD}const pause = Math.random();\nexport default scenario('mine', { actors }, (_, { wait }) => {\n  wait(\`\${pause}s\`);\n});\n`,
    );
    expect(fault).toMatch(/^4:1: building it twice gives two scenarios: steps\.0\.wait was "0\.\d+s", then "0\.\d+s"$/);
  });

  it.each([
    [
      'a mistake',
      `export default scenario('mine', { actors }, (_, { wait }) => {\n  wait('soon' as '1s');\n});\n`,
      ['4:3: wait must be a span of time like 500ms, 2s or 1m; found "soon"'],
    ],
    [
      'a mistake in the head',
      `export default scenario('my own', { actors }, () => undefined);\n`,
      ['3:1: scenario must be a path of names, like direct/happy-video; found "my own"'],
    ],
    [
      'no scenario',
      `export const mine = 1;\n`,
      [expect.stringMatching(/^1:1: a scenario is expected here: export default scenario/)],
    ],
    [
      'what throws',
      `function fail(): never {\n  throw new Error('no luck');\n}\nexport default scenario('mine', { actors }, () => fail());\n`,
      ['4:3: no luck'],
    ],
    [
      'what does not parse',
      `export default scenario('mine', {\n  actors: ,\n});\n`,
      [expect.stringMatching(/^4:3: Unexpected token/)],
    ],
    [
      'an import that is not there',
      `import './nothing.ts';\nexport default 1;\n`,
      ["3:1: Cannot find module './nothing.ts'"],
    ],
    [
      'a fragment that is not there',
      `export default scenario('mine', { actors }, (_, { use }) => {\n  use('none.yaml');\n});\n`,
      ['4:3: there is no fragment none.yaml: its path begins at the folder of the scenario file'],
    ],
  ])('is refused with line and column: %s', async (_, text, faults) => {
    expect(await faultOf('wrong.scenario.ts', `${HEAD}${text}`)).toEqual(faults);
  });
});
