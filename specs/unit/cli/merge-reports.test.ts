import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { mergeReports } from '../../../cli/commands/merge-reports.ts';
import { run } from '../../../cli/commands/run.ts';
import { EXIT } from '../../../cli/exit-codes.ts';
import { command } from './support/command.ts';

let folder: string;
const file = (name: string) => join(folder, name);

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ringback-merge-'));
  mkdirSync(file('stories'));
  for (const [name, state] of [
    ['a', 'ringing'],
    ['b', 'connected'],
    ['c', 'ringing'],
  ] as const)
    writeFileSync(
      file(`stories/${name}.yaml`),
      `scenario: lab/${name}\nactors: { alice: { user: alice }, bob: { user: bob } }\nsteps:\n  - { do: alice.dial, with: { callee: bob } }\n  - { expect: { bob.call.state: ${state} }, within: 1s }\n`,
    );
  for (const part of [1, 2])
    await command(
      run,
      ...[file('stories'), '--shard', `${part}/2`, '--reporter', 'list,json', '--out', file(`shard-${part}`)],
    );
}, 60_000);
afterAll(() => rmSync(folder, { recursive: true }));

const out = () => ['--out', file('merged')];

it('the reports of the shards become one, with the traces that were kept', async () => {
  const words = [file('shard-1'), file('shard-2/results.json'), '--reporter', 'list,json,html,junit', ...out()];
  const shown = await command(mergeReports, ...words);
  expect([shown.code, shown.out]).toEqual([1, expect.stringContaining('2 passed, 1 failed | ')]);
  expect(shown.out).toContain(`ringback trace ${file('shard-2/lab_b-1.ndjson')}`);
  const { results } = JSON.parse(readFileSync(file('merged/results.json'), 'utf8')) as { results: { title: string }[] };
  expect(results.map(({ title }) => title)).toEqual(['lab/a', 'lab/b', 'lab/c']);
  expect(readFileSync(file('merged/junit.xml'), 'utf8').match(/<testcase /g)).toHaveLength(3);
  expect(readFileSync(file('merged/report.html'), 'utf8')).toContain('aria-label="lab/b: messages"');
});

it('cases that the reports have with different seeds have their seeds in their names', async () => {
  const words = [file('stories/a.yaml'), '--seed', '7', '--reporter', 'list,json', '--out', file('seed-7')];
  await command(run, ...words);
  const shown = await command(mergeReports, file('shard-1'), file('seed-7'), ...out());
  // The second shard is missing.
  expect([shown.code, shown.out]).toEqual([
    EXIT.incomplete,
    expect.stringMatching(/lab\/a seed 1 [\s\S]*lab\/a seed 7 [\s\S]*lab\/c /),
  ]);
});

it('reports that do not belong together, or cannot be read, are refused with one line', async () => {
  const refused = async (message: string | RegExp, ...words: string[]) =>
    expect(command(mergeReports, ...words, ...out())).rejects.toMatchObject({
      message: expect.stringMatching(message),
      exitCode: EXIT.usage,
    });
  await refused(/both have lab\/a: leave one out\.$/, file('shard-1'), file('shard-1/results.json'));
  await refused(/^There is no report at .*stories\/results\.json\./, file('stories'));
  const kept = readFileSync(file('shard-1/results.json'), 'utf8');
  const changed = async (text: string, message: RegExp) => {
    writeFileSync(file('changed.json'), text);
    await refused(message, file('shard-2'), file('changed.json'));
  };
  await changed('{\n"a":\n', /^.*changed\.json is not a report: it is no JSON, or a part of it\.$/);
  await changed(kept.replace('"part":1,"of":2', '"part":2,"of":2'), /are both the shard 2\/2\.$/);
  await changed(kept.replace('"part":1,"of":2', '"part":1,"of":3'), /is one of 2 shards, and .* one of 3\.$/);
  await changed(
    kept.replace('"state":"passed"', '"state":"good"'),
    /report of "ringback run": results\.0\.state is wrong\.$/,
  );
  await changed(
    kept.replace('"world":"virtual"', '"world":"real"'),
    /is of the virtual world, and .* of the real world\.$/,
  );
});

it('a missing shard is named, and makes the whole incomplete', async () => {
  const one = await command(mergeReports, file('shard-1'), ...out());
  expect([one.code, one.err]).toEqual([EXIT.incomplete, 'The reports lack part 2/2 of the run.\n']);
});

it('an incomplete run makes the whole incomplete', async () => {
  const kept = readFileSync(file('shard-1/results.json'), 'utf8');
  writeFileSync(file('part.json'), kept.replace('"complete":true', '"complete":false'));
  expect((await command(mergeReports, file('part.json'), ...out())).code).toBe(EXIT.incomplete);
});
