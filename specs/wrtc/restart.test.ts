/**
 * Calls between terminals through an exchange that is stopped or killed during the call. Each is a process of its own.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Libsql from 'libsql';
import { expect, onTestFinished, test } from 'vitest';
import { EXIT } from '../../cli/exit-codes.ts';
import { scaled } from '../../tools/run/machine-factor.ts';
import { ringback, type Terminal } from './terminal.ts';

const START_MS = scaled(30_000);

function run(...words: string[]): Terminal {
  const terminal = ringback(words);
  onTestFinished(() => terminal.kill());
  return terminal;
}

async function exchangeAt(
  port: string,
  database: string,
  ...more: string[]
): Promise<{ terminal: Terminal; url: string }> {
  const terminal = run('sim', '--demo', '--port', port, '--database', database, '--log-level', 'info', ...more);
  await terminal.saw(/stop {6}Ctrl-C/, START_MS);
  return { terminal, url: /http:\S+/.exec(terminal.out)?.[0] ?? '' };
}

async function historyOf(user: string, url: string): Promise<unknown> {
  const headers = { 'content-type': 'application/json', 'x-client-id': 'reader' };
  const body = JSON.stringify({ app_id: 'ringback-demo', user_id: user });
  const login = await fetch(`${url}/v1/users/${user}/login`, { method: 'POST', headers, body });
  const { sbcall_session_token: token } = (await login.json()) as { sbcall_session_token: string };
  const history = await fetch(`${url}/v1/users/${user}/calls`, { headers: { ...headers, 'x-session-token': token } });
  return ((await history.json()) as { calls: unknown }).calls;
}

test.each([
  ['SIGTERM', 'is ended when each client is back'],
  ['SIGKILL', 'is ended before a client is back'],
] as const)(
  'DC-49 ENT-15: a call continues during %s of the exchange, %s, and the history has its whole length',
  async (signal, when) => {
    const folder = mkdtempSync(join(tmpdir(), 'ringback-restart-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const database = join(folder, 'calls.db');
    const first = await exchangeAt('0', database);
    const answer = run('answer', '--as', 'bob', '--server', first.url);
    await answer.saw(/waiting as bob/, START_MS);
    const dial = run('dial', 'bob', '--server', first.url, '--audio', '--for', '10m', '--json');
    await first.terminal.saw(/call connected/, START_MS);
    const connected = performance.now();
    // An answer over HTTP waits for the writes before it, so a start finds the connected call.
    await historyOf('carol', first.url);

    first.terminal.process.kill(signal);
    await first.terminal.exited(START_MS);
    const second = await exchangeAt(new URL(first.url).port, database);
    await second.terminal.saw(/a call was restored/);
    if (when === 'is ended when each client is back') {
      await second.terminal.saw(/"alice"[^\n]*device connected/, START_MS);
      await second.terminal.saw(/"bob"[^\n]*device connected/, START_MS);
    }
    const interrupted = performance.now();
    dial.process.kill('SIGINT');

    await dial.exited(START_MS);
    // The exchange learns of the end when the caller's device is back.
    const learningMs = performance.now() - interrupted;
    expect(await answer.exited(START_MS)).toBe(0);
    const { callId, ...report } = dial.json();
    expect(report).toMatchObject({ result: 'completed', endedBy: 'alice', reconnections: 0 });
    expect(report.received.audio).toMatchObject({ tone: 660, ok: true });
    expect(answer.out).toMatch(/completed/);
    for (const user of ['alice', 'bob']) {
      const calls = await historyOf(user, second.url);
      expect(calls).toMatchObject([{ call_id: callId, end_result: 'completed', ended_by: 'alice' }]);
      const [{ duration }] = calls as [{ duration: number }];
      expect(duration).toBeGreaterThan(interrupted - connected);
      const lateMs = when === 'is ended before a client is back' ? learningMs : 0;
      expect(duration).toBeLessThan(report.duration + lateMs + scaled(2_000));
    }
  },
  6 * START_MS,
);

test(
  'sim stores its calls under the name of --name, and refuses --name without a database',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'ringback-name-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const database = join(folder, 'calls.db');
    const { terminal } = await exchangeAt('0', database, '--name', 'calls-1');
    terminal.process.kill('SIGTERM');
    await terminal.exited(START_MS);
    const file = new Libsql(database, { readonly: true });
    expect(file.prepare('select name from ringback_exchanges').all()).toEqual([{ name: 'calls-1' }]);
    file.close();
    const refused = run('sim', '--demo', '--port', '0', '--name', 'calls-1');
    expect(await refused.exited(START_MS)).toBe(EXIT.usage);
    expect(refused.err).toMatch(/--name needs --database\./);
  },
  4 * START_MS,
);

test(
  'without a database each side ends once, with the result unknown',
  async () => {
    const first = await exchangeAt('0', ':memory:');
    const answer = run('answer', '--as', 'bob', '--server', first.url);
    await answer.saw(/waiting as bob/, START_MS);
    const dial = run('dial', 'bob', '--server', first.url, '--audio', '--for', '10m', '--json');
    await first.terminal.saw(/call connected/, START_MS);
    first.terminal.process.kill('SIGKILL');
    await first.terminal.exited(START_MS);
    await exchangeAt(new URL(first.url).port, ':memory:');
    await Promise.all([dial.exited(START_MS), answer.exited(START_MS)]);
    expect(dial.json()).toMatchObject({ result: 'unknown' });
    expect(answer.out.match(/ended/g)).toHaveLength(1);
  },
  5 * START_MS,
);
