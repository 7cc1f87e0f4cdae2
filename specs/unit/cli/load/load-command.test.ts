/** `ringback load` against a real exchange in this process. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { load } from '../../../../cli/commands/load.ts';
import { EXIT } from '../../../../cli/exit-codes.ts';
import { testUsers } from '../../../../cli/test-users.ts';
import { numberedUsers } from '../../../../cli/load/users.ts';
import { startSim, type Sim } from '../../../../sim/server/start-sim.ts';
import { command } from '../support/command.ts';

let sim: Sim;
const folder = mkdtempSync(join(tmpdir(), 'ringback-load-'));
beforeAll(async () => {
  const users = testUsers(numberedUsers('load', 40).map(({ userId }) => userId));
  sim = await startSim({ demo: true, port: 0, users });
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await sim.close();
});

/** Half a second of 40 calls a second. */
const SHORT = ['--rate', '40', '--duration', '500ms', '--hold', '100ms', '--concurrency', '20'];
const run = (...words: string[]) => command(load, '--server', sim.url, '--users', 'load/40', ...words);
const refused = (...words: string[]) => command(load, ...words).catch((error: Error) => error.message);

describe('a run', () => {
  it('makes the calls of the mix, measures them and leaves nothing at the server', async () => {
    const { out, code } = await run(...SHORT, '--mix', 'complete=8,decline=1,cancel=1', '--json');
    const { calls, outcomes, times, slots, plan } = JSON.parse(out);
    expect(code).toBe(EXIT.ok);
    expect(calls).toMatchObject({ due: 20, dialled: 20, failed: 0 });
    expect(outcomes).toEqual([
      { outcome: 'completed', detail: '', count: 16 },
      expect.objectContaining({ count: 2 }),
      expect.objectContaining({ count: 2 }),
    ]);
    expect(times['dial-to-ring'].count).toBe(20);
    expect(times['accept-to-connected'].count).toBe(16);
    expect(times['end-to-ended'].count).toBe(20);
    expect(times['dial-to-accept'].p50).toBeGreaterThanOrEqual(times['dial-to-ring'].min);
    expect(slots[0].dialled).toBe(20);
    expect(plan).toMatchObject({ holdMs: 100, concurrency: 20 });
    expect(sim.exchange.liveCalls).toHaveLength(0);
  });

  it('has the verdicts of its thresholds as its exit code', async () => {
    const { out, code } = await run(
      ...SHORT,
      '--threshold',
      'failed < 1%',
      '--threshold',
      'dial-to-ring p99 < 0.001us',
    );
    expect(code).toBe(EXIT.unmet);
    expect(out).toContain('ok        failed < 1%  (0.00%)');
    expect(out).toContain('FAILED    dial-to-ring p99 < 0.001us');
    expect(out).toContain('outcomes  completed 20');
  });

  it('counts refused dials by their code, and fails', async () => {
    const file = join(folder, 'users.csv');
    // The callee of the only pair is its caller: no server connects a user to itself.
    writeFileSync(file, 'load-1\nload-1\n');
    const words = ['--rate', '10', '--duration', '300ms', '--hold', '0ms', '--concurrency', '1'];
    const { out, code } = await command(load, '--server', sim.url, '--users-file', file, ...words);
    expect(code).toBe(EXIT.failed);
    expect(out).toMatch(/refused 3 \(dial \d{7}\)/);
  });

  it('writes a report that a page policy keeps from loading anything', async () => {
    const file = join(folder, 'load\u001B[2J.html');
    const { code, out } = await run(...SHORT, '--report', file, '--threshold', 'dial-to-ring p99 < 1m');
    const page = readFileSync(file, 'utf8');
    expect(code).toBe(EXIT.ok);
    expect(out).toContain(String.raw`load\u{1b}[2J.html`);
    expect(out).not.toContain('\u001B');
    expect(page).toContain("default-src 'none'");
    expect(page).toContain('20 calls, none failed');
    expect(page).toContain('Plan: 40 calls/s for 500ms, 500ms in all');
    expect(page.match(/<svg class="picture" role="img"/g)).toHaveLength(3);
    expect(page).not.toMatch(/\bsrc=|https?:\/\/(?!127)/);
  });

  it('ends early when the server stops, with its live calls as lost', async () => {
    const own = await startSim({ demo: true, port: 0, users: testUsers(['load-1', 'load-2']) });
    const words = ['--rate', '1', '--duration', '60s', '--hold', '0ms', '--mix', 'complete=1'];
    const running = command(load, '--server', own.url, '--users', 'load/2', ...words, '--json');
    await expect.poll(() => own.exchange.deviceCount, { timeout: 10_000 }).toBe(2);
    await own.close();
    const { out, code } = await running;
    expect(code === EXIT.failed || code === EXIT.incomplete).toBe(true);
    expect(JSON.parse(out)).toMatchObject({ cutShort: true, closedPairs: 1 });
  });
});

describe('a wrong command line is refused in one line', () => {
  it.each([
    [['--rate', '30', '--hold', '5s', '--concurrency', '100'], '150 calls at a time: raise --concurrency 100'],
    [['--rate', '10', '--users', 'load/10'], 'need 120 users, and 10 are named'],
    [['--server', 'http://127.0.0.1:1', '--rate', '10'], 'need 120 users, and the demo has 24'],
    [['--stage', '10s:0'], 'Every stage has the rate 0'],
    [['--media', 'tone', '--hold', '500ms'], '--media tone needs a --hold of at least 1s'],
    [['--processes', '100'], 'more than the 60 calls at a time'],
    [['--report', '/no/such/folder/load.html'], 'Nothing can be written to /no/such/folder/load.html (ENOENT)'],
    [['--users-file', '/no/such/file'], 'cannot be read from /no/such/file (ENOENT)'],
  ])('%j', async (words, message) => {
    const said = await refused(...words);
    expect(said).toContain(message);
    expect(said).not.toContain('\n');
  });

  it('without a server', async () => {
    const said = await refused('--server', 'http://127.0.0.1:1', '--rate', '1');
    expect(said).toContain('No exchange answers at http://127.0.0.1:1');
  });

  it('with users that the server does not know', async () => {
    const said = await refused('--server', sim.url, '--users', 'nobody/40', '--rate', '1');
    expect(said).toContain('The exchange does not admit nobody-1');
  });

  it('with a line of the users that is not valid, without its token', async () => {
    const file = join(folder, 'wrong.csv');
    writeFileSync(file, 'load-1\nload-2,secret,more\n');
    const said = await refused('--server', sim.url, '--users-file', file);
    expect(said).toContain('Line 2 of');
    expect(said).not.toContain('secret');
  });
});
