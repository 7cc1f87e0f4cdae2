import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CommandError } from '../../../cli/command-error.ts';
import { explore } from '../../../cli/commands/explore.ts';
import { EXIT } from '../../../cli/exit-codes.ts';
import { dial } from '../../../cli/commands/dial.ts';
import { sim } from '../../../cli/commands/sim.ts';
import { refuseRepeated } from '../../../cli/arguments/repeated.ts';
import type { CommandModule } from '../../../cli/commands/command-module.ts';
import { run } from '../../../cli/commands/run.ts';
import { tracePathOf } from '../../../cli/scenarios/keep-trace.ts';
import { scenarios } from '../../../cli/commands/scenarios.ts';
import { schema } from '../../../cli/commands/schema.ts';
import { trace } from '../../../cli/commands/trace.ts';
import { parseShard } from '../../../cli/arguments/values.ts';
import { narrow } from '../../../cli/scenarios/narrow.ts';
import type { Scenario } from '../../../sim/scenario/format/tree.ts';
import { command } from './support/command.ts';

let folder: string;
const file = (name: string) => join(folder, name);

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'ringback-run-'));
  const head = (name: string) => `scenario: ${name}\nactors: { alice: { user: alice }, bob: { user: bob } }\nsteps:\n`;
  writeFileSync(
    file('holds.yaml'),
    `${head('holds')}  - { do: alice.dial, with: { callee: bob } }\n  - { expect: { bob.call.state: ringing }, within: 1s }\n`,
  );
  writeFileSync(
    file('fails.yaml'),
    `${head('fails')}  - { do: alice.dial, with: { callee: bob } }\n  - { expect: { bob.call.state: connected }, within: 1s }\n`,
  );
  writeFileSync(
    file('talks.yaml'),
    `${head('talks')}  - { do: alice.dial, with: { callee: bob } }\n  - { expect: { bob.call.state: ringing }, within: 1s }\n  - { do: bob.accept }\n  - { expect: { bob.call.state: connected }, within: 1s }\n`,
  );
  writeFileSync(file('wrong.yaml'), `${head('wrong')}  - { expct: { alice.call.state: dialing } }\n`);
});
afterAll(() => rmSync(folder, { recursive: true }));

const keep = () => ['--out', file('out')];

describe('ringback run', () => {
  it('exits with 0 when all pass, 1 when one fails, 3 when a file is invalid, and prints the place', async () => {
    const holds = await command(run, file('holds.yaml'), ...keep());
    expect([holds.code, holds.out]).toEqual([0, expect.stringContaining('1 passed, 0 failed | ')]);
    const fails = await command(run, file('fails.yaml'), ...keep());
    expect(fails.code).toBe(1);
    expect(fails.out).toContain(
      'fails.yaml:5:7\n        not true within 1.005s: bob.call.state is ringing, not connected',
    );
    expect(fails.out).toContain('ringback trace ');
    const wrong = await command(run, file('wrong.yaml'), ...keep());
    expect([wrong.code, wrong.err]).toEqual([3, expect.stringMatching(/wrong\.yaml:4:7: .*did you mean expect\?/)]);
  });

  it('prints one JSON object, with a row for each case and without the traces', async () => {
    const { out, code } = await command(run, file('holds.yaml'), file('fails.yaml'), '--reporter', 'json', ...keep());
    expect(code).toBe(1);
    const object = JSON.parse(out) as { results: unknown[] };
    expect(object).toMatchObject({ version: 1, world: 'virtual', passed: 1, failed: 1, skipped: 0, complete: true });
    expect(object.results).toMatchObject([
      { scenario: 'fails', state: 'failed', failure: { place: { line: 5 } } },
      { scenario: 'holds', state: 'passed' },
    ]);
    expect(out).not.toContain('"trace"');
  });

  it('writes JUnit and annotations', async () => {
    const junit = await command(run, file('fails.yaml'), '--reporter', 'junit', ...keep());
    expect(junit.out).toMatch(
      /<testsuite name="fails" file="[^"]*fails\.yaml" tests="1" failures="1"[\s\S]*<failure type="failed" message="not true within/,
    );
    const github = await command(run, file('fails.yaml'), '--reporter', 'github', ...keep());
    expect(github.out).toMatch(/^::error file=.*fails\.yaml,line=5,col=7,title=fails::not true within/);
  });

  it('shows results in several formats at once', async () => {
    const { out } = await command(run, file('holds.yaml'), '--reporter', 'list,html', '--reporter', 'junit', ...keep());
    expect(out).toMatch(/ ok {3}holds[\s\S]*report\.html\n.*junit\.xml\n$/);
    expect(readFileSync(file('out/junit.xml'), 'utf8')).toContain('<testcase classname="holds"');
  });

  it('writes a report: the failing step in its file, the states, the ladder, and how to run it again', async () => {
    const { out } = await command(run, file('fails.yaml'), file('talks.yaml'), '--reporter', 'html', ...keep());
    expect(out).toContain(`1 passed, 1 failed: ${file('out/report.html')}`);
    const report = readFileSync(file('out/report.html'), 'utf8');
    expect(report).toMatch(/<mark>.*✗.*5<\/span> {2}- \{ expect: \{ bob\.call\.state: connected/);
    expect(report).toContain('bob ringing: 0.002 s to');
    expect(report).toContain('aria-label="talks: messages"');
    expect(report).toMatch(/ringback run \S*fails\.yaml --seed 1 --trace on/);
    expect(report).toContain(`ringback trace ${file('out/fails-1.ndjson')}`);
  });

  it('an incomplete run never exits with 0', async () => {
    const { code, out } = await command(
      run,
      file('fails.yaml'),
      file('holds.yaml'),
      '--max-failures',
      '1',
      '--reporter',
      'json',
      ...keep(),
    );
    const left = { cases: 1, why: 'stopped after a failure' };
    expect(JSON.parse(out)).toMatchObject({ complete: false, left });
    expect(code).toBe(1);
    const listed = await command(run, file('fails.yaml'), file('holds.yaml'), '-x', ...keep());
    expect(listed.out).toContain('0 passed, 1 failed, 1 not run (stopped after a failure) | ');
  });

  it('a run in which every case was skipped never exits with 0, because it has proved nothing', async () => {
    const head = 'actors: { a: { user: a } }\nworlds: { virtual: media is not modelled so }\n';
    writeFileSync(file('elsewhere.yaml'), `scenario: elsewhere\n${head}steps: []\n`);
    const alone = await command(run, file('elsewhere.yaml'), ...keep());
    expect([alone.code, alone.err]).toEqual([5, expect.stringContaining('every case was skipped')]);
    expect((await command(run, file('elsewhere.yaml'), file('holds.yaml'), ...keep())).code).toBe(0);
  });

  it('runs the cases that failed before, shards, and names', async () => {
    await command(run, file('holds.yaml'), file('fails.yaml'), ...keep());
    const again = await command(
      run,
      file('holds.yaml'),
      file('fails.yaml'),
      '--last-failed',
      '--reporter',
      'json',
      ...keep(),
    );
    expect(JSON.parse(again.out)).toMatchObject({ passed: 0, failed: 1, skipped: 1 });
    await expect(command(run, file('holds.yaml'), '--grep', 'nothing', ...keep())).rejects.toThrow(
      'No scenario is left to run',
    );
    await command(run, file('holds.yaml'), ...keep());
    // The failure of a case that was not run again is kept.
    expect(JSON.parse(readFileSync(file('out/last-failed.json'), 'utf8'))).toEqual(['fails']);
    await expect(command(run, file('holds.yaml'), '--last-failed', ...keep())).rejects.toThrow(
      'none of these failed when it ran last',
    );
    writeFileSync(file('part.yaml'), 'fragment: part\nsteps: []\n');
    await expect(command(run, file('part.yaml'), ...keep())).rejects.toThrow('These files have no scenario');
    await expect(command(run, file('none.yaml'))).rejects.toThrow(CommandError);
    await expect(command(run, file('holds.yaml'), '--last-failed', '--out', file('nowhere'))).rejects.toThrow(
      'no result of a previous run',
    );
  });

  it('stores a trace for each case, with similar and long names too', async () => {
    const long = 'long'.repeat(30);
    const cases = ["x: '>= 3'", "x: '<= 3'", ...['a', 'b'].map((z) => `x: ${long}, y: ${long}, z: ${z}`)];
    const steps = '  - { do: alice.dial, with: { callee: bob } }\n';
    writeFileSync(
      file('alike.yaml'),
      `scenario: alike\nactors: { alice: { user: alice }, bob: { user: bob } }\ncases: [${cases.map((one) => `{ ${one} }`).join(', ')}]\nsteps:\n${steps}`,
    );
    await command(run, file('alike.yaml'), '--trace', 'on', '--repeat', '2', '--out', file('alike'));
    expect(readdirSync(file('alike')).filter((name) => name.endsWith('.ndjson'))).toHaveLength(8);
  });

  it('names the traces of any two cases differently, and shows plain names as they are', () => {
    const named = (scenario: string, one?: string) =>
      tracePathOf({ scenario, seed: 1, ...(one === undefined ? {} : { case: one }) }, 'out');
    expect([named('lab/a'), named('lab/a', 'no-answer')]).toEqual([
      'out/lab_a-1.ndjson',
      'out/lab_a.no-answer-1.ndjson',
    ]);
    const long = 'long'.repeat(60);
    const cases = [undefined, 'a b', 'a.b', 'a/b', 'a,b', 'a_b', 'a-b', 'a', `${long}1`, `${long}2`];
    const names = ['x', 'x-a', 'x/a', 'x_a'];
    const paths = names.flatMap((scenario) => cases.map((one) => named(scenario, one)));
    expect(new Set(paths).size).toBe(paths.length);
  });

  it('two runs with the same seed write equal traces, and a run with another seed differs', async () => {
    const { code } = await command(run, file('holds.yaml'), '--check-determinism', '--trace', 'on', ...keep());
    expect(code).toBe(0);
    await command(run, file('talks.yaml'), '--trace', 'on', '--repeat', '2', '--seed', '7', ...keep());
    const kept = (seed: number) => readFileSync(file(`out/talks-${seed}.ndjson`), 'utf8');
    expect(kept(7)).not.toBe(kept(8));
  });
});

describe('an output folder that is not writable', () => {
  it('is reported when a folder has the name of the result, a report or a trace', async () => {
    for (const [name, ...words] of [
      ['last-failed.json'],
      ['report.html', '--reporter', 'html'],
      ['junit.xml', '--reporter', 'list,junit'],
      ['holds-1.ndjson', '--trace', 'on'],
    ] as const) {
      const out = file(`in-the-way-of-${name}`);
      mkdirSync(join(out, name), { recursive: true });
      await expect(command(run, file('holds.yaml'), '--out', out, ...words)).rejects.toThrow(
        new CommandError(`Nothing can be written to ${join(out, name)} (EISDIR).`, EXIT.environment),
      );
    }
  });

  it('is reported before a case runs: a file has its name, or it cannot be created', async () => {
    for (const module of [run, explore]) {
      const words = module === run ? [file('holds.yaml'), '--out'] : ['--seeds', '1', '--save'];
      await expect(command(module, ...words, file('holds.yaml'))).rejects.toThrow(
        `${file('holds.yaml')} is not a folder`,
      );
      await expect(command(module, ...words, file('holds.yaml/x'))).rejects.toThrow(/is not a folder/);
      await expect(command(module, ...words, '/proc/nowhere/deep')).rejects.toThrow(
        /\/proc\/nowhere cannot be created/,
      );
    }
  });
});

describe('ringback explore', () => {
  it('reports the number of stories and events, and writes no file when no story fails', async () => {
    const played = await command(explore, '--seeds', '5', '--save', file('found'));
    expect([played.code, played.out]).toEqual([
      0,
      expect.stringMatching(/^5 seeds, \d+ events, \d+ kinds of moves, [\d.]+ s \| 0 broken\n$/),
    ]);
    const object = await command(explore, '--seeds', '2', '--first', '9', '--json', '--save', file('found'));
    expect(JSON.parse(object.out)).toMatchObject({ version: 1, seeds: 2, found: [] });
  });

  it('keeps the steps of a file, and saves the faults that break it', async () => {
    writeFileSync(
      file('never.yaml'),
      `scenario: rings\nactors: { alice: { user: alice }, bob: { user: bob } }\nsteps:\n  - { never: { expect: { bob.sound: ringing } } }\n  - { do: alice.dial, with: { callee: bob } }\n`,
    );
    const shown = await command(explore, file('never.yaml'), '--seeds', '2', '--save', file('kept'));
    expect(shown.code).toBe(1);
    expect(shown.out).toMatch(
      /^rings: never is broken without any fault: .*\n {4}ringback run .*\n0 stories, .* \| 1 broken\n$/,
    );
    const again = await command(run, file('kept/rings-without-faults.yaml'), ...keep());
    expect([again.code, again.out]).toEqual([1, expect.stringContaining('must never hold')]);
    const sound = await command(explore, file('talks.yaml'), '--seeds', '2', '--json', '--save', file('kept'));
    expect([sound.code, JSON.parse(sound.out)]).toEqual([0, expect.objectContaining({ stories: 2, found: [] })]);
    await expect(command(explore, file('wrong.yaml'), '--save', file('kept'))).rejects.toMatchObject({
      exitCode: EXIT.invalid,
    });
  });

  it('saves the stories of cases and scenarios with similar names in different files, which run together', async () => {
    const [actors, steps] = [
      'actors: { alice: { user: alice }, bob: { user: bob } }',
      'steps:\n  - { never: { expect: { bob.sound: ringing } } }\n  - { do: alice.dial, with: { callee: bob } }\n',
    ];
    writeFileSync(file('cases.yaml'), `scenario: a/b\n${actors}\ncases: [{ at: "a b" }, { at: "a.b" }]\n${steps}`);
    writeFileSync(file('other.yaml'), `scenario: a_b\n${actors}\ncases: [{ at: "a b" }]\n${steps}`);
    const files = [file('cases.yaml'), file('other.yaml')];
    const { out } = await command(explore, ...files, '--json', '--save', file('similar'));
    const { found } = JSON.parse(out) as { found: { file: string; title: string }[] };
    expect(found.map(({ title }) => title)).toEqual(['a/b [at a b]', 'a/b [at a.b]', 'a_b [at a b]']);
    expect(readdirSync(file('similar'))).toHaveLength(3);
    const again = await command(run, file('similar'), '--reporter', 'json', ...keep());
    expect(JSON.parse(again.out)).toMatchObject({ passed: 0, failed: 3 });
  });

  it('skips a scenario that excludes the virtual world, with its reason', async () => {
    writeFileSync(
      file('elsewhere.yaml'),
      `scenario: else\nworlds: { virtual: "it needs \\e[2J a wire" }\nactors: { alice: { user: alice }, bob: { user: bob } }\nsteps:\n  - { never: { expect: { bob.sound: ringing } } }\n  - { do: alice.dial, with: { callee: bob } }\n`,
    );
    const both = [file('elsewhere.yaml'), file('talks.yaml'), '--seeds', '2', '--save', file('skips')];
    const shown = await command(explore, ...both);
    expect([shown.code, shown.out]).toEqual([
      0,
      expect.stringMatching(/^else: skipped, it needs \\u\{1b\}\[2J a wire\n2 stories, .* \| 0 broken\n$/),
    ]);
    const skipped = [{ scenario: 'else', why: 'it needs \u001B[2J a wire' }];
    expect(JSON.parse((await command(explore, ...both, '--json')).out)).toMatchObject({ stories: 2, skipped });
    const none = await command(explore, file('elsewhere.yaml'), '--save', file('skips'));
    expect([none.code, none.err]).toEqual([EXIT.incomplete, 'No story was played: every scenario was skipped.\n']);
    expect(readdirSync(file('skips'))).toEqual([]);
  });

  it('plays stories of several nodes, of calls and of rooms', async () => {
    for (const kind of ['direct', 'room']) {
      const played = await command(explore, '--nodes', '3', '--model', kind, '--seeds', '2', '--save', file('found'));
      expect([played.code, played.out]).toEqual([0, expect.stringMatching(/^2 seeds, .* \| 0 broken\n$/)]);
    }
  });
});

describe('ringback trace', () => {
  it('draws a stored trace, and reports an invalid one', async () => {
    await command(run, file('holds.yaml'), '--trace', 'on', ...keep());
    const drawn = await command(trace, file('out/holds-1.ndjson'));
    expect(drawn.out).toContain('|-- dial -----');
    expect(drawn.out).not.toContain('bob ring ');
    expect((await command(trace, file('out/holds-1.ndjson'), '--timers')).out).toMatch(/\n\n +0\.002 {3}bob alive +\[/);
    for (const format of ['svg', 'timeline'])
      expect((await command(trace, file('out/holds-1.ndjson'), '-f', format)).out).toMatch(/^<svg /);
    const [head = '', ...events] = readFileSync(file('out/holds-1.ndjson'), 'utf8').split('\n');
    expect(JSON.parse(head)).toMatchObject({ kind: 'run', scenario: 'holds', seed: 1, world: 'virtual' });
    writeFileSync(file('headless.ndjson'), events.join('\n'));
    expect((await command(trace, file('headless.ndjson'))).out).toBe(drawn.out);
    await expect(command(trace, file('holds.yaml'))).rejects.toThrow(/holds\.yaml:1: this is not a line of a trace/);
    for (const line of ['{"kind":"message","at":1,"device":"a","direction":"up"}', '{"kind":"odd","at":2}', '[]']) {
      writeFileSync(file('broken'), `{"kind":"told","at":0,"device":"a","name":"onEnded"}\n${line}\n`);
      await expect(command(trace, file('broken')), line).rejects.toThrow(/broken:2: this is not a line of a trace/);
    }
    writeFileSync(file('empty'), '');
    await expect(command(trace, file('empty'))).rejects.toThrow('is empty');
    await expect(command(trace, file('none'))).rejects.toThrow('There is no trace at ');
    await expect(command(trace, file('out/hold-1.ndjson'))).rejects.toThrow(/\(did you mean holds-1\.ndjson\?\)/);
    await expect(command(trace, file('out'))).rejects.toThrow(/out is a folder: name a trace in it.*-1\.ndjson/);
  });

  it('has the lengths of the timers of the case', async () => {
    writeFileSync(
      file('short.yaml'),
      readFileSync(file('holds.yaml'), 'utf8').replace(/^scenario: holds/, 'scenario: short\ntimers: { ring: 5s }'),
    );
    await command(run, file('short.yaml'), '--trace', 'on', ...keep());
    const { out } = await command(trace, file('out/short-1.ndjson'), '--timers');
    expect(out).toMatch(/bob ring +\[\.{30}\] \d+ms of 5s, still running/);
    expect(out).toMatch(/bob alive .* of 30s, /);
  });

  it('writes an archive and a capture, to a file when one is named', async () => {
    await command(run, file('talks.yaml'), '--trace', 'on', ...keep());
    const kept = file('out/talks-1.ndjson');
    const archive = JSON.parse((await command(trace, kept, '-f', 'har')).out) as { log: { creator: object } };
    expect(archive.log.creator).toEqual({ name: 'ringback', version: expect.stringMatching(/^\d+\.\d+\.\d+$/) });
    expect(await command(trace, kept, '-f', 'pcapng', '-o', file('talks.pcapng'))).toMatchObject({ out: '', code: 0 });
    expect(readFileSync(file('talks.pcapng')).readUInt32LE(0)).toBe(0x0a0d0d0a);
    await expect(command(trace, kept, '-f', 'pcapng')).rejects.toThrow(
      'pcapng is a binary format: name a file with --output.',
    );
    expect(await command(trace, kept, '-o', file('missing/talks.txt'))).toMatchObject({ code: 0 });
    expect(readFileSync(file('missing/talks.txt'), 'utf8')).toContain('dial');
    await expect(command(trace, kept, '-o', file('holds.yaml/talks.txt'))).rejects.toThrow(
      `Nothing can be written to ${file('holds.yaml')}: ${file('holds.yaml')} is not a folder.`,
    );
  });
});

describe('ringback scenarios', () => {
  it('lists and prints the built-in ones, and checks files', async () => {
    const listed = await command(scenarios, 'list');
    expect(listed.out).toMatch(/^direct\/happy-video +1 {2}A video call/m);
    expect((await command(scenarios, 'print', 'direct/happy-video')).out).toMatch(/^scenario: direct\/happy-video\n/);
    await expect(command(scenarios, 'print', 'none')).rejects.toThrow('There is no scenario none');
    expect(await command(scenarios, 'check', file('holds.yaml'))).toMatchObject({
      code: 0,
      out: '1 scenario is well-formed\n',
    });
    expect(await command(scenarios, 'check', file('wrong.yaml'))).toMatchObject({ code: 3 });
  });

  it('names the other file of a name that two files have, and the place of bytes that are not UTF-8', async () => {
    const text = readFileSync(file('holds.yaml'));
    const [first, second, latin] = [file('twice/a.yaml'), file('twice/b.yaml'), file('twice/latin.yaml')];
    mkdirSync(file('twice'));
    writeFileSync(first, text);
    writeFileSync(second, text);
    writeFileSync(latin, Buffer.from('scenario: caf\u{e9}\n', 'latin1'));
    const { code, out } = await command(scenarios, 'check', file('twice'));
    expect(code).toBe(EXIT.invalid);
    expect(out.split('\n').filter((line) => line !== '')).toEqual([
      `${latin}:1:14: the bytes here are not UTF-8: save the file as UTF-8`,
      `${second}:1:1: ${first} has a scenario with the same name, holds`,
    ]);
  });
});

describe('a file that is too large (B81)', () => {
  it.each([
    ['run', run, ['large.yaml']],
    ['run of a line', run, ['large.yaml:3']],
    ['check', scenarios, ['check', 'large.yaml']],
    ['schema', schema, ['large.yaml']],
  ])('is not read by %s, however large it is', async (_, module, words) => {
    writeFileSync(file('large.yaml'), 'scenario: large\n');
    truncateSync(file('large.yaml'), 3_000_000_000);
    const named = words.map((word) => (word.startsWith('large') ? file(word) : word));
    const why =
      /large\.yaml:1:1: the file is too long: it has more than 786432 bytes, and 262144 characters are the most/;
    const outcome = await command(module, ...named).catch((error: unknown) => error);
    if (outcome instanceof CommandError)
      expect([outcome.message, outcome.exitCode]).toEqual([expect.stringMatching(why), 3]);
    else {
      const { code, out, err } = outcome as { readonly code: number; readonly out: string; readonly err: string };
      expect([code, out + err]).toEqual([3, expect.stringMatching(why)]);
    }
    rmSync(file('large.yaml'));
  });
});

describe('what is no scenario, or not the whole of one', () => {
  it('is refused with exit code 2: a fragment alone, a line, an empty name, a misspelt name', async () => {
    writeFileSync(file('alone.yaml'), 'fragment: alone\nsteps: []\n');
    const refused = async (message: string, module: CommandModule, ...words: string[]) =>
      expect(command(module, ...words)).rejects.toMatchObject({
        exitCode: 2,
        message: expect.stringContaining(message),
      });
    await refused('These files have no scenario.', explore, file('alone.yaml'));
    await refused('These files have no scenario.', scenarios, 'print', file('alone.yaml'));
    const line = `${file('holds.yaml')}:3`;
    const whole = `${line} names a line, and this command takes whole files`;
    await refused(whole, explore, line);
    await refused(whole, scenarios, 'check', line);
    await refused('The name of a file is empty.', run, '');
    await refused('direct/cancle (did you mean direct/cancel?)', scenarios, 'print', 'direct/cancle');
  });
});

it('an option that is given twice is refused, unless it collects (B78)', async () => {
  const refusal = async (module: CommandModule, ...words: string[]) => {
    const declared = module
      .declare(() => undefined)
      .exitOverride()
      .configureOutput({ writeErr: () => undefined });
    refuseRepeated(declared);
    // The parsers run, and the action does not.
    declared.action(() => undefined);
    return declared.parseAsync(words, { from: 'user' }).then(
      () => undefined,
      ({ message }: Error) => message,
    );
  };
  expect(await refusal(run, '--seed', '1', '--seed', '2')).toBe("error: option '--seed <number>' is given twice");
  expect(await refusal(run, '-x', '-x')).toContain('is given twice');
  expect(await refusal(dial, 'bob', '--for', '5s', '--for', '6s')).toContain(
    "option '--for <duration>' is given twice",
  );
  expect(await refusal(dial, 'bob', '--require', 'audio', '--require', 'video')).toBeUndefined();
  expect(await refusal(sim, '--users', 'alice', '--users', 'bob')).toBeUndefined();
});

it('a fragment outside of the project of its scenario is refused, with the place of its use (B81)', async () => {
  mkdirSync(file('project/scenarios'), { recursive: true });
  writeFileSync(file('project/package.json'), '{}');
  writeFileSync(file('outside.yaml'), 'fragment: outside\nsteps: []\n');
  writeFileSync(file('project/inside.yaml'), 'fragment: inside\nsteps: []\n');
  const using = (path: string) => {
    writeFileSync(file('project/scenarios/uses.yaml'), `scenario: uses\nactors: {}\nsteps:\n  - { use: ${path} }\n`);
    return command(scenarios, 'check', file('project/scenarios/uses.yaml'));
  };
  expect((await using('../inside.yaml')).code).toBe(0);
  for (const path of ['../../outside.yaml', '/etc/hostname']) {
    const { code, out } = await using(path);
    expect([code, out]).toEqual([3, expect.stringContaining(`uses.yaml:4:7: ${path} is outside of `)]);
  }
});

describe('ringback schema', () => {
  it('prints the schema of the package', async () => {
    const { out } = await command(schema);
    expect(JSON.parse(out)).toMatchObject({ title: 'A Ringback scenario, or a fragment of one' });
  });

  it('prints the schema of one file, also of an incomplete one, and says what it lacks', async () => {
    const devices = 'actors: { alice: { user: alice }, bob: { user: bob, devices: [phone] } }\n';
    writeFileSync(file('begun.yaml'), `scenario: begun\n${devices}steps:\n  - {}\n`);
    const { out } = await command(schema, file('begun.yaml'));
    expect(out).toContain('"bob.phone.accept"');
    expect(out).not.toContain('"bob.accept"');
    writeFileSync(file('headless.yaml'), 'scenario: headless\n');
    await expect(command(schema, file('headless.yaml'))).rejects.toThrow('headless.yaml has no actors: add them');
    writeFileSync(file('odd.yaml'), 'scenario: [\n');
    await expect(command(schema, file('odd.yaml'))).rejects.toThrow(/odd\.yaml:2:1: /);
    await expect(command(schema, file('none.yaml'))).rejects.toThrow(
      'none.yaml cannot be read: there is no such file.',
    );
    await expect(command(schema, folder)).rejects.toThrow('cannot be read: it is a folder.');
  });
});

describe('shards of a run', () => {
  const four = ['a', 'b', 'c', 'd'].map((scenario) => ({ scenario, tags: [scenario] }) as unknown as Scenario);

  it('have together every case, and each case once', () => {
    const parts = [1, 2, 3].map((part) =>
      narrow(four, { shard: { part, of: 3 } }).chosen.map(({ scenario }) => scenario),
    );
    expect(parts).toEqual([['a', 'd'], ['b'], ['c']]);
    expect(narrow(four, { tag: 'b' })).toMatchObject({ chosen: [{ scenario: 'b' }], skipped: 3 });
  });

  it('have the form 2/4', () => {
    expect(parseShard('2/4')).toEqual({ part: 2, of: 4 });
    for (const text of ['2', 'a/b']) expect(() => parseShard(text), text).toThrow('The part must look like 2/4.');
    for (const text of ['0/4', '5/4'])
      expect(() => parseShard(text), text).toThrow(`Of 4 parts there is no part ${text[0]}.`);
  });
});
