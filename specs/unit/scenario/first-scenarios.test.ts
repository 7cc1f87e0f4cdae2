/** The tutorial: each of its files runs as it is printed, and fails when its central expectation is wrong. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { CommandModule } from '../../../cli/commands/command-module.ts';
import { explain } from '../../../cli/commands/explain.ts';
import { run } from '../../../cli/commands/run.ts';
import { scenarios } from '../../../cli/commands/scenarios.ts';
import { trace } from '../../../cli/commands/trace.ts';
import { readScenario } from '../../../sim/scenario/format/read-scenario.ts';
import { runScenario } from '../../../sim/scenario/run/run-scenario.ts';
import { virtualWorld } from '../../../sim/scenario/virtual/virtual-world.ts';
import { command } from '../cli/support/command.ts';

const DOCUMENT = 'docs/first-scenarios.md';
const files = [...readFileSync(DOCUMENT, 'utf8').matchAll(/^```yaml\n(.*?)^```$/gms)].map(([, text = '']) => text);

/** Returns why the cases of a file failed. Undefined for a case that passed. */
async function failuresOf(text: string): Promise<(string | undefined)[]> {
  let now = 0;
  const results = await runScenario(readScenario(DOCUMENT, text), {
    name: 'virtual',
    world: virtualWorld,
    stopwatch: () => (now += 1),
  });
  return results.map(({ state, failure }) => failure?.message ?? (state === 'passed' ? undefined : state));
}

/** The central expectation of each story, a wrong one in its place, and the reason of the failure. */
const STORIES: readonly (readonly [name: string, right: string, wrong: string, why: RegExp])[] = [
  [
    'first/cancel',
    'bob.call.result: canceled',
    'bob.call.result: declined',
    /bob\.call\.result is canceled, not declined/,
  ],
  ['first/ring-timeout', 'at: 60s, since', 'at: 50s, since', /alice\.call\.result is none, not no_answer/],
  ['first/wifi-drops', 'bob.call.reconnected: 1', 'bob.call.reconnected: 0', /bob\.call\.reconnected is 1, not 0/],
  [
    'first/two-devices',
    'result: other_device_accepted',
    'result: declined',
    /bob\.laptop\.call\.result is other_device_accepted, not declined/,
  ],
  ['first/hold', 'bob.audio.tone: 880', 'bob.audio.tone: 440', /bob\.audio\.tone is 880, not 440/],
  ['first/restart', 'server.calls: 1', 'server.calls: 0', /server\.calls is 1, not 0/],
  ['first/recording', 'StatusChanged: 2', 'StatusChanged: 3', /onRemoteRecordingStatusChanged is 2, not 3/],
  ['first/endings', 'result: no_answer', 'result: canceled', /alice\.call\.result is no_answer, not canceled/],
  ['first/lossy', 'times: 3,', 'times: 9,', /offer from alice was seen \d times/],
  [
    'first/room',
    'alice.room.heard: [bob, carol]',
    'alice.room.heard: [carol]',
    /alice\.room\.heard is \["bob","carol"\], not \["carol"\]/,
  ],
];

it('the tutorial has these ten stories, in this order', () => {
  expect(files.map((text) => /^scenario: (.+)$/m.exec(text)?.[1])).toEqual(STORIES.map(([name]) => name));
});

it.each(STORIES)('%s passes, and fails when its central expectation is wrong', async (name, right, wrong, why) => {
  const text = files.find((one) => one.startsWith(`scenario: ${name}\n`)) ?? '';
  expect(text.split(right)).toHaveLength(2);
  const failures = await failuresOf(text);
  expect(failures.length).toBeGreaterThan(0);
  expect(failures).toEqual(failures.map(() => undefined));
  expect((await failuresOf(text.replace(right, wrong))).find((failure) => failure !== undefined)).toMatch(why);
});

it('the commands at its beginning work with the first story, and run prints the command that draws the trace', async () => {
  const modules: Readonly<Record<string, CommandModule>> = { explain, run, scenarios, trace };
  const [, block = ''] = /^```sh\n(.*?)^```$/ms.exec(readFileSync(DOCUMENT, 'utf8')) ?? [];
  const folder = mkdtempSync(join(tmpdir(), 'ringback-tutorial-'));
  try {
    writeFileSync(join(folder, 'mine.yaml'), files[0] ?? '');
    const shown: string[] = [];
    for (const [, line = ''] of block.matchAll(/^npx ringback (.*?) +#/gm)) {
      const [name = '', ...words] = line
        .split(' ')
        .map((word) => word.replace(/^(mine\.yaml|\.ringback\/)/, `${folder}/$1`));
      const out = name === 'run' ? ['--out', join(folder, '.ringback')] : [];
      const { code, out: text } = await command(modules[name] as CommandModule, ...words, ...out);
      expect([line, code]).toEqual([line, 0]);
      shown.push(text);
      if (name === 'run')
        expect(text).toContain(`\n        ringback trace ${folder}/.ringback/first_cancel-1.ndjson\n`);
    }
    expect(shown).toHaveLength(4);
    expect(shown[2]).toContain('cancel');
  } finally {
    rmSync(folder, { recursive: true });
  }
});
