/** `ringback scripts`, and the script options of `sim` and `demo`. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { CommandError } from '../../../cli/command-error.ts';
import { scriptsOf } from '../../../cli/actions/scripts-of.ts';
import { scripts } from '../../../cli/commands/scripts.ts';
import { processOutput } from '../../../cli/process-output.ts';
import { BUILT_INS } from '../../../sim/scripts/built-in.ts';
import { readScript } from '../../../sim/scripts/format/read-script.ts';

let folder: string;
const file = (name: string) => join(folder, name);
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'ringback-scripts-'));
  writeFileSync(file('mine.yaml'), 'script: mine\npeople: { bob: [{ on: called, do: decline }] }\n');
  writeFileSync(file('mine.json'), '{ "script": "of-json", "people": { "bob": [] } }');
});
afterAll(() => rmSync(folder, { recursive: true }));

/** A file that exists for one test. */
function withFile<T>(name: string, text: string, act: (path: string) => Promise<T>): Promise<T> {
  writeFileSync(file(name), text);
  return act(file(name)).finally(() => rmSync(file(name)));
}

/** Runs the command. Returns its output, and its exit code. */
async function ringbackScripts(...words: string[]): Promise<{ out: string; code: number }> {
  let code = 0;
  let said = '';
  const out = vi.spyOn(processOutput.out, 'write').mockImplementation((text) => void (said += text));
  try {
    await scripts.declare((exit) => (code = exit)).parseAsync(words, { from: 'user' });
  } finally {
    out.mockRestore();
  }
  return { out: said, code };
}

const failure = async (what: Promise<unknown>) => {
  const error = await what.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return error instanceof CommandError ? [error.exitCode, error.message] : error;
};

describe('ringback scripts', () => {
  it('lists each script in a line, with its parameters and their defaults', async () => {
    const { out } = await ringbackScripts();
    expect(out.trimEnd().split('\n')).toHaveLength(BUILT_INS.length);
    expect(out).toMatch(/^accept,after=2s,who=anybody +the called user accepts/m);
    expect(out).toMatch(/^late,cmd=…,by=5s\[,first=…\] +the exchange performs/m);
  });

  it('prints a script, or several combined, as one file', async () => {
    const { out } = await ringbackScripts('print', 'hangs-up,after=3s+late,cmd=dial');
    expect(out.split('\n')[0]).toBe('script: hangs-up-with-late');
    expect(readScript('printed.yaml', out)).toMatchObject({
      people: {
        anybody: [
          { on: 'called', do: 'accept' },
          { on: 'connected', after: '3s', do: 'end' },
        ],
      },
      faults: [{ fault: { kind: 'delay', cmd: 'dial_ack' } }],
    });
    expect(await failure(ringbackScripts('print', 'acept'))).toEqual([
      2,
      expect.stringContaining('did you mean accept?'),
    ]);
  });

  it('checks files of YAML and JSON, and reports faults with line and column', async () => {
    expect(await ringbackScripts('check', folder)).toEqual({
      out: '2 scripts are well-formed: of-json, mine\n',
      code: 0,
    });
    const wrong = 'script: wrong\npeople: { bob: [{ on: caled, do: accept }] }\n';
    const { out, code } = await withFile('wrong.yaml', wrong, (path) => ringbackScripts('check', path));
    expect([code, out]).toEqual([
      3,
      expect.stringMatching(/wrong\.yaml:2:\d+: people\.bob\.0\.on must be one of online, /),
    ]);
    expect(await failure(ringbackScripts('check', file('nothing.yaml')))).toEqual([
      2,
      `No script file matches ${file('nothing.yaml')}.`,
    ]);
  });

  it('accepts no name twice, nor that of a built-in script', async () => {
    const taken = await withFile('accept.yaml', 'script: accept\n', (path) => ringbackScripts('check', path));
    expect([taken.code, taken.out]).toEqual([3, expect.stringContaining(':1:1: another script has the name accept')]);
  });
});

describe('the scripts of an exchange', () => {
  it('S04 are played on loopback, and at another address only in a demo with that option', async () => {
    const played = async (options: Parameters<typeof scriptsOf>[0], host: string, isDemo = true) =>
      (await scriptsOf(options, host, isDemo)).options !== undefined;
    expect(await played({}, '127.0.0.1', false)).toBe(true);
    expect(await played({}, '0.0.0.0', false)).toBe(false);
    for (const options of [{ scripts: true }, { script: 'busy' }]) {
      expect(await failure(played(options, '0.0.0.0', false))).toEqual([
        2,
        'Scripts need a loopback address or demo mode: leave --host out, or add --demo.',
      ]);
    }
    expect(await played({}, '127.0.0.1')).toBe(true);
    expect(await played({}, '::1')).toBe(true);
    expect(await played({}, '0.0.0.0')).toBe(false);
    expect(await played({ scripts: true }, '0.0.0.0')).toBe(true);
    expect(await played({ script: 'busy' }, '0.0.0.0')).toBe(true);
    expect(await played({ scripts: false }, '127.0.0.1')).toBe(false);
  });

  it('include those of the files; an invalid file starts nothing', async () => {
    const { options } = await scriptsOf({ scripts: [file('mine.yaml')], script: 'mine' }, '127.0.0.1', false);
    expect([options?.main, options?.own.map(({ script }) => script)]).toEqual(['mine', ['mine']]);
    const wrong = withFile('wrong.yaml', 'script: wrong\npeeple: {}\n', (path) =>
      scriptsOf({ scripts: [path] }, '::1', false),
    );
    expect(await failure(wrong)).toEqual([3, expect.stringMatching(/wrong\.yaml:2:1: peeple is not known here/)]);
    expect(await failure(scriptsOf({ scripts: false, script: 'busy' }, '::1', false))).toEqual([
      2,
      '--script needs scripts: leave --no-scripts out.',
    ]);
  });
});
