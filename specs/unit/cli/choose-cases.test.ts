import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EXIT } from '../../../cli/exit-codes.ts';
import { parseSeeds } from '../../../cli/arguments/values.ts';
import { replay } from '../../../cli/commands/replay.ts';
import { run } from '../../../cli/commands/run.ts';
import { command } from './support/command.ts';

let folder: string;
const file = (name: string) => join(folder, name);

const STEPS = `steps:
  - { do: alice.dial, with: { callee: bob } }
  - { expect: { bob.call.state: $case.want }, within: 1s }
`;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'ringback-choose-'));
  writeFileSync(
    file('table.yaml'),
    `scenario: lab/table
actors: { alice: { user: alice }, bob: { user: bob } }
cases:
  - name: rings
    want: ringing
  - name: connects at once
    want: connected
  - { want: ringing }
${STEPS}`,
  );
  writeFileSync(
    file('plain.yaml'),
    `scenario: lab/plain\nactors: { alice: { user: alice }, bob: { user: bob } }\n${STEPS.replace('$case.want', 'ringing')}`,
  );
});
afterAll(() => rmSync(folder, { recursive: true }));

const keep = () => ['--out', file('out')];

/** Returns the titles that --list prints. */
async function listed(...words: string[]): Promise<string[]> {
  const { out, code } = await command(run, ...words, '--list', ...keep());
  expect(code).toBe(EXIT.ok);
  return out.split('\n').flatMap((line) => /^(.*?) {2,}\S*\.yaml$/.exec(line)?.[1] ?? []);
}

const [RINGS, CONNECTS, UNNAMED] = ['lab/table [rings]', 'lab/table [connects at once]', 'lab/table [want ringing]'];

describe('a line of a file', () => {
  it('selects the case at that line, also with a column', async () => {
    expect(await listed(`${file('table.yaml')}:5`)).toEqual([RINGS]);
    expect(await listed(`${file('table.yaml')}:6:5`)).toEqual([CONNECTS]);
    expect(await listed(`${file('table.yaml')}:4`, `${file('table.yaml')}:8`)).toEqual([RINGS, UNNAMED]);
  });

  it('selects the scenario when it is outside the cases, or when the file is named too', async () => {
    const all = [RINGS, CONNECTS, UNNAMED];
    for (const line of [1, 3, 10]) expect(await listed(`${file('table.yaml')}:${line}`), `${line}`).toEqual(all);
    expect(await listed(`${file('table.yaml')}:5`, file('table.yaml'))).toEqual(all);
    expect(await listed(`${file('table.yaml')}:5`, file('plain.yaml'))).toEqual(['lab/plain', RINGS]);
  });

  it('is refused when the file has no such line', async () => {
    for (const line of [0, 12])
      await expect(command(run, `${file('table.yaml')}:${line}`, ...keep())).rejects.toMatchObject({
        message: `${file('table.yaml')} has no line ${line}: its last line is 11.`,
        exitCode: EXIT.usage,
      });
  });
});

describe('the options that select cases', () => {
  it('select by name and by number, by title, and by what is left out', async () => {
    expect(await listed(file('table.yaml'), '--case', 'connects at once')).toEqual([CONNECTS]);
    expect(await listed(folder, '--case', '3')).toEqual([UNNAMED]);
    expect(await listed(folder, '--grep', String.raw`at once\]$`)).toEqual([CONNECTS]);
    expect(await listed(folder, '--grep', '^lab/table$')).toHaveLength(3);
    expect(await listed(folder, '--grep', 'table', '--grep-invert', 'rings|once')).toEqual([UNNAMED]);
  });

  it('that select nothing are refused with one line', async () => {
    const refused = async (message: string, ...words: string[]) =>
      expect(command(run, ...words, ...keep())).rejects.toMatchObject({ message, exitCode: EXIT.usage });
    await refused('No case is named ring (did you mean rings?). --list prints the cases.', folder, '--case', 'ring');
    await refused(
      'No case is named absent. The cases are rings; connects at once; want ringing.',
      ...[folder, '--case', 'absent'],
    );
    await refused(
      'No case is named rings: these scenarios have no cases.',
      ...[file('plain.yaml'), '--case', 'rings', '--list'],
    );
    await refused('No scenario is left to run: the options exclude all of them.', folder, '--grep-invert', 'lab');
  });

  it('count what they leave out, and --last-failed runs only the failed case', async () => {
    const first = await command(run, folder, ...keep());
    expect([first.code, first.out]).toEqual([1, expect.stringContaining('3 passed, 1 failed')]);
    expect(await listed(folder, '--last-failed')).toEqual([CONNECTS]);
    expect(await listed(folder, '--last-failed', '--shard', '1/2')).toEqual([CONNECTS]);
    const again = await command(run, folder, '--last-failed', '--reporter', 'json', ...keep());
    expect(JSON.parse(again.out)).toMatchObject({ passed: 0, failed: 1, skipped: 3 });
    writeFileSync(file('out/last-failed.json'), '["lab/table"]');
    expect(await listed(folder, '--last-failed')).toHaveLength(3);
  });

  it('--list runs nothing and writes nothing', async () => {
    const { out } = await command(run, folder, '--repeat', '2', '--list', '--out', file('untouched'));
    expect(out).toMatch(/\n8 cases of 2 scenarios\n$/);
    expect(readdirSync(folder)).not.toContain('untouched');
  });

  it('-x stops at the first failure', async () => {
    const { out, code } = await command(run, file('table.yaml'), '-x', '--reporter', 'json', ...keep());
    expect(JSON.parse(out)).toMatchObject({ passed: 1, failed: 1, complete: false });
    expect(code).toBe(EXIT.failed);
  });
});

describe('the name of a case', () => {
  it('is its title, the name of its trace, and the name for run and replay', async () => {
    const { out } = await command(run, file('table.yaml'), ...keep());
    expect(out).toContain(` FAIL ${CONNECTS} `);
    expect(out).toContain(`ringback run ${file('table.yaml')} --case 'connects at once' --seed 1\n`);
    expect(readdirSync(file('out'))).toContainEqual(
      expect.stringMatching(/^lab_table\.connects_at_once-1-[\da-f]{8}\.ndjson$/),
    );
    const again = await command(run, file('table.yaml'), '--case', 'connects at once', '--seed', '1', ...keep());
    expect(again.out).toContain('0 passed, 1 failed');
    const replayed = await command(replay, file('table.yaml'), 'connects at once');
    expect([replayed.code, replayed.out]).toEqual([1, expect.stringContaining(`${CONNECTS}, seed 1`)]);
  });

  it('is refused for a second case', async () => {
    writeFileSync(
      file('twice.yaml'),
      `scenario: twice\nactors: { alice: { user: alice } }\ncases:\n  - { name: a }\n  - { name: a }\nsteps: []\n`,
    );
    const { code, err } = await command(run, file('twice.yaml'), ...keep());
    rmSync(file('twice.yaml'));
    expect([code, err]).toEqual([
      EXIT.invalid,
      expect.stringMatching(/twice\.yaml:5:7: case 1 has the name a too: a name is for one case\n$/),
    ]);
  });
});

describe('a case that runs with several seeds', () => {
  const SEEDS = [1, 2].map((seed) => `lab/plain seed ${seed}`);

  it('has its seed in the name of each row of every report', async () => {
    const out = file('seeds');
    const words = [file('plain.yaml'), '--repeat', '2', '--reporter', 'list,html,junit,json', '--out', out];
    const shown = await command(run, ...words);
    expect([...shown.out.matchAll(/^ ok {3}(.*?) {2}/gm)].map(([, name]) => name)).toEqual(SEEDS);
    const names = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, name]) => name);
    expect(names(readFileSync(join(out, 'junit.xml'), 'utf8'), /<testcase [^>]* name="([^"]*)"/g)).toEqual(SEEDS);
    expect(names(readFileSync(join(out, 'report.html'), 'utf8'), /<h2>(.*?)<\/h2>/g)).toEqual(SEEDS);
    const { results } = JSON.parse(readFileSync(join(out, 'results.json'), 'utf8')) as { results: { title: string }[] };
    expect(results.map(({ title }) => title)).toEqual(SEEDS);
  });

  it('has it in the annotations too, and a case with one seed has none', async () => {
    const words = [file('table.yaml'), '--case', '2', '--reporter', 'github', ...keep()];
    const shown = async (...more: string[]) =>
      [...(await command(run, ...words, ...more)).out.matchAll(/title=(.*?)::/g)].map(([, title]) => title);
    expect(await shown('--repeat', '2')).toEqual([`${CONNECTS} seed 1`, `${CONNECTS} seed 2`]);
    expect(await shown()).toEqual([CONNECTS]);
  });
});

describe('equal cases without a name', () => {
  const text =
    'scenario: twice\nactors: { alice: { user: alice } }\ncases: [{ for: 1s }, { for: 1s }, {}, {}]\nsteps: []\n';

  it('have different titles, also when one is selected', async () => {
    writeFileSync(file('twice.yaml'), text);
    const titles = ['for 1s', 'for 1s #2', 'case', 'case #2'].map((name) => `twice [${name}]`);
    expect(await listed(file('twice.yaml'))).toEqual(titles);
    expect(await listed(file('twice.yaml'), '--case', 'for 1s #2')).toEqual(titles.slice(1, 2));
    expect(await listed(file('twice.yaml'), '--case', '4')).toEqual(titles.slice(3));
  });
});

describe('--seeds', () => {
  it('runs each case with each seed, once', async () => {
    const seeds = (list: string) => listed(file('plain.yaml'), '--seeds', list);
    expect(await seeds('7,3-4,7')).toEqual([7, 3, 4].map((seed) => `lab/plain seed ${seed}`));
    const { out } = await command(run, file('plain.yaml'), '--seeds', '3,9', '--reporter', 'json', ...keep());
    expect(JSON.parse(out)).toMatchObject({ passed: 2, results: [{ seed: 3 }, { seed: 9 }] });
  });

  it.each(['5', '', '3-1', '1,x', '1-99999', '-3', '1-10000,10001-20000', '1-10000,0'])('refuses %s', (list) => {
    expect(() => parseSeeds(list)).toThrow('Seeds look like 3,7 or 1-20');
  });

  it('counts a seed once towards the most', () => {
    expect(parseSeeds('1-6000,5000-10000')).toHaveLength(10_000);
  });
});
