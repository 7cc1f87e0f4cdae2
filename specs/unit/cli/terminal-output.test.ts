/** What a program around the command sees: pipes, full disks, and characters that a terminal obeys. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { run } from '../../../cli/commands/run.ts';
import { scenarios } from '../../../cli/commands/scenarios.ts';
import { scripts } from '../../../cli/commands/scripts.ts';
import { trace } from '../../../cli/commands/trace.ts';
import { EXIT } from '../../../cli/exit-codes.ts';
import { command } from './support/command.ts';

const OBEYED = /[^\P{Cc}\n]/u;
let folder: string;
const file = (name: string) => join(folder, name);

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ringback-terminal-'));
  const about = String.raw`"clears \e[2J the screen"`;
  const actors = String.raw`{ alice: { user: "a\e[2Jb" }, bob: { user: bob } }`;
  writeFileSync(
    file('mine.yaml'),
    `scenario: mine\nabout: ${about}\nactors: ${actors}\nsteps:\n  - { do: alice.dial, with: { callee: bob } }\n`,
  );
  await command(run, file('mine.yaml'), '--trace', 'on', '--out', folder);
  // It loads the library and the exchange.
}, 60_000);
afterAll(() => rmSync(folder, { recursive: true }));
afterEach(() => vi.unstubAllEnvs());

/** Runs the command in a shell, with the given redirections behind it. */
function shell(words: string, input = '', environment: Readonly<Record<string, string>> = {}) {
  const program = `"${process.execPath}" --import tsx cli/main.ts ${words}`;
  const { FORCE_COLOR: _, ...env } = process.env;
  const { status, stdout, stderr } = spawnSync('sh', ['-c', program], {
    encoding: 'utf8',
    input,
    env: { ...env, ...environment },
  });
  return { status, stdout, stderr };
}

describe('the output', () => {
  it('of lists, checks and traces has no character that a terminal obeys', async () => {
    const listed = await command(scenarios, 'list', file('mine.yaml'));
    expect(listed.out).toContain(String.raw`clears \u{1b}[2J the screen`);
    const drawn = await command(trace, file('mine-1.ndjson'));
    expect(drawn.out).toContain('dial');
    writeFileSync(file('wrong.yaml'), 'scenario: wrong\n"\\e[2J": 1\n');
    const checked = await command(scenarios, 'check', file('wrong.yaml'));
    expect(checked.out).toContain(String.raw`\u{1b}[2J is not known here`);
    for (const { out } of [listed, drawn, checked]) expect(out).not.toMatch(OBEYED);
  });

  it('of a list in colour has the escapes of the colours alone', () => {
    const { stdout } = shell(`scenarios list "${file('mine.yaml')}"`, '', { FORCE_COLOR: '1' });
    expect(stdout).toMatch(/^mine +\u001B\[2m {2}1\u001B\[22m {2}clears \\u\{1b\}\[2J the screen\n$/);
  });

  it('of case names, and of faults in scripts, has none either', async () => {
    const steps = 'steps:\n  - { do: alice.dial, with: { callee: bob } }\n';
    const cases = String.raw`cases: [{ name: "\e[2J\nrings\u202E" }]`;
    writeFileSync(
      file('cases.yaml'),
      `scenario: cases\nactors: { alice: { user: alice }, bob: { user: bob } }\n${cases}\n${steps}`,
    );
    const planned = await command(run, file('cases.yaml'), '--list');
    expect(planned.out).toContain(String.raw`cases [\u{1b}[2J\u{a}rings\u{202e}]`);
    writeFileSync(file('script.yaml'), 'script: wrong\n"\\e[2J": 1\n');
    const checked = await command(scripts, 'check', file('script.yaml'));
    expect(checked.out).toContain(String.raw`\u{1b}[2J`);
    for (const { out } of [planned, checked]) expect(out).not.toMatch(OBEYED);
  });

  it('of a wrong command line has none either', () => {
    const { status, stderr } = shell(String.raw`"$(printf '\033[2J')"`);
    expect([status, stderr]).toEqual([EXIT.usage, expect.stringContaining(String.raw`'\u{1b}[2J'`)]);
    expect(stderr).not.toMatch(OBEYED);
  });

  it('of trace - is the ladder of the trace on standard input', async () => {
    const { status, stdout } = shell('trace -', readFileSync(file('mine-1.ndjson'), 'utf8'));
    expect([status, stdout]).toEqual([0, (await command(trace, file('mine-1.ndjson'))).out]);
  });

  it('to a pipe whose reader has gone is dropped without a word', () => {
    // The reader ends before the command has started.
    expect(shell('explain list | true')).toEqual({ status: 0, stdout: '', stderr: '' });
  });

  it('to a full disk is one line and the exit code of the environment', (context) => {
    if (!existsSync('/dev/full')) context.skip('no /dev/full here');
    expect(shell('explain list > /dev/full')).toEqual({
      status: EXIT.environment,
      stdout: '',
      stderr: 'Nothing can be written to standard output (ENOSPC).\n',
    });
  });
});

describe('trace --open', () => {
  it('writes the page of the trace beside it, and starts the browser with it', async () => {
    const said = file('said');
    writeFileSync(file('browser'), `#!/bin/sh\necho "$1" > ${said}.part && mv ${said}.part ${said}\n`, { mode: 0o755 });
    vi.stubEnv('BROWSER', file('browser'));
    const { out } = await command(trace, file('mine-1.ndjson'), '--open');
    expect(out).toBe(`${file('mine-1.html')}\n`);
    await vi.waitFor(() => expect(readFileSync(said, 'utf8')).toBe(`${file('mine-1.html')}\n`), 10_000);
    const page = readFileSync(file('mine-1.html'), 'utf8');
    expect(page).toMatch(/<title>mine · Ringback<[^]*<span data-at="0">[^<]*-- dial -/);
    expect(page).not.toMatch(/ src=| href=/);
  });

  it('names the page, and says when no browser can be started', async () => {
    vi.stubEnv('BROWSER', file('absent'));
    const { out, err } = await command(trace, file('mine-1.ndjson'), '--open', '-o', file('new/named.html'));
    expect([out, err]).toEqual([`${file('new/named.html')}\n`, expect.stringMatching(/^No browser can be started: /)]);
    expect(existsSync(file('new/named.html'))).toBe(true);
  });
});
