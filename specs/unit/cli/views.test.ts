/** `ringback users`, `calls` and `history` of a running exchange, and who may read these views. */
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseRows } from '../../../cli/arguments/values.ts';
import { calls } from '../../../cli/commands/calls.ts';
import { history } from '../../../cli/commands/history.ts';
import { users } from '../../../cli/commands/users.ts';
import { explainWait } from '../../../cli/explain-wait.ts';
import { EXIT } from '../../../cli/exit-codes.ts';
import { tableOf } from '../../../cli/reporters/table.ts';
import { createAdmin } from '../../../sim/server/operations/admin.ts';
import { type Sim, startSim } from '../../../sim/server/start-sim.ts';
import { Terminal } from '../../contract/exchange/terminals.ts';
import { command } from './support/command.ts';

let sim: Sim;
let hidden: Sim;
beforeAll(async () => {
  sim = await startSim({ demo: true, port: 0, showsItself: true });
  hidden = await startSim({ demo: true, port: 0 });
});
afterAll(async () => {
  await Promise.all([sim.close(), hidden.close()]);
});

/** Requests a view with these headers. Resolves with the status and the headers of the answer. */
const view = (path: string, headers: Record<string, string> = {}) =>
  new Promise<{ status: number | undefined; headers: object }>((resolve, reject) => {
    const sent = request(`${sim.url}${path}`, { headers }, (answer) => {
      answer.resume();
      resolve({ status: answer.statusCode, headers: answer.headers });
    });
    sent.on('error', reject);
    sent.end();
  });

describe('ringback users', () => {
  it('lists users with their state, up to the limit, and says that there are more', async () => {
    const { out, err, code } = await command(users, '--server', sim.url, '--limit', '2');
    expect(out.split('\n').map((line) => line.split(/ {2,}/))).toEqual([
      ['user', 'name', 'state', 'devices'],
      ['alice', expect.any(String), 'never signed in', '0'],
      ['bob', expect.any(String), 'never signed in', '0'],
      [''],
    ]);
    expect([err, code]).toEqual(['There are more: raise --limit.\n', EXIT.ok]);
  });

  it('--json prints every user as the exchange describes it', async () => {
    const { out } = await command(users, '--server', sim.url, '--json', '--limit', '1000');
    const answer = JSON.parse(out) as { users: { user_id: string }[]; has_more: boolean };
    expect(answer.has_more).toBe(false);
    expect(answer.users.find(({ user_id }) => user_id === 'bob')).toMatchObject({
      presence: 'offline',
      devices: 0,
      has_signed_in: false,
    });
  });

  it('an exchange that does not show itself is named as such, and no exchange as no exchange', async () => {
    await expect(command(users, '--server', hidden.url)).rejects.toMatchObject({
      exitCode: EXIT.environment,
      message: expect.stringContaining('does not show its users'),
    });
    await expect(command(users, '--server', 'http://127.0.0.1:9')).rejects.toMatchObject({
      exitCode: EXIT.environment,
      message: expect.stringContaining('No exchange answers'),
    });
  });
});

describe('who may read the views', () => {
  it.each([
    ['a program of this machine', '/admin/users', {}, 200],
    ['a page, even of this machine', '/admin/users', { origin: 'http://localhost:4871' }, 403],
    ['a client behind a proxy', '/admin/calls', { 'x-forwarded-for': '192.0.2.1' }, 403],
    ['a page with a name that resolves to this machine', '/admin/users', { host: 'evil.example' }, 403],
    ['a wrong limit', '/admin/users?limit=0', {}, 400],
    ['a limit above the budget', '/admin/calls?limit=1001', {}, 400],
  ] as const)('%s', async (_, path, headers, status) => {
    const answer = await view(path, headers);
    expect(answer.status).toBe(status);
    expect(answer.headers).not.toHaveProperty('access-control-allow-origin');
  });

  it('answers 503 while the exchange starts, and nothing to other paths', () => {
    const answer = createAdmin(() => null);
    const of = (url: string) => {
      const socket = { remoteAddress: '127.0.0.1' };
      return answer({ method: 'GET', url, headers: { host: 'localhost' }, socket } as never);
    };
    expect(of('/admin/users')?.status).toBe(503);
    expect(of('/admin')).toBeUndefined();
  });
});

describe('ringback calls', () => {
  it('says that no call is live', async () => {
    expect(await command(calls, '--server', sim.url)).toEqual({ out: '', err: 'No calls are live.\n', code: EXIT.ok });
    const { out } = await command(calls, '--server', sim.url, '--json');
    expect(JSON.parse(out)).toEqual({ calls: [], has_more: false });
  });
});

describe('a dial whose callee has no device online', () => {
  it('learns from the exchange of its machine how it notified the callee, and nothing from another one', async () => {
    const [alice, bob] = [await Terminal.signIn(sim, 'alice'), await Terminal.signIn(sim, 'bob')];
    await bob.disconnect();
    const media = { audio: true, video: false };
    const dialled = { callee_id: 'bob', is_video_call: false, constraints: media, capabilities: [] };
    const callId = (await alice.send('dial', dialled)).payload.call_id as string;
    const wait = { peer: 'bob', callId };
    await expect.poll(() => explainWait(sim.url, wait)).toEqual({ devices: 0, notified: { by: 'push', devices: 0 } });
    expect(await explainWait(hidden.url, wait)).toBeNull();
    expect(await explainWait(sim.url, { ...wait, callId: 'another' })).toBeNull();
    await alice.send('cancel', { call_id: callId });
    await alice.disconnect();
  });
});

describe('ringback history', () => {
  it('signs in, and says that no call has ended', async () => {
    expect(await command(history, '--as', 'bob', '--server', hidden.url)).toMatchObject({
      out: '',
      err: 'No call of bob has ended.\n',
      code: EXIT.ok,
    });
    const { out } = await command(history, '--as', 'bob', '--server', hidden.url, '--json');
    expect(JSON.parse(out)).toEqual({ calls: [], has_more: false });
  });

  it('a user that the exchange does not admit is a wrong usage', async () => {
    await expect(command(history, '--as', 'nobodyhere', '--server', sim.url)).rejects.toMatchObject({
      exitCode: EXIT.usage,
    });
  });
});

describe('the address of an exchange in a browser', () => {
  it('shows what it is, its version, the arguments of init, and the next commands', async () => {
    const shown = await startSim({ demo: true, port: 0, showsItself: true, version: '1.2.3', appId: 'mine' });
    const answer = await fetch(shown.url, { headers: { accept: 'text/html' } });
    const text = await answer.text();
    await shown.close();
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
    expect(text).toMatch(/^Ringback 1\.2\.3: an exchange/);
    expect(text).toContain(`init('mine', '${shown.url}', '${shown.url.replace('http', 'ws')}')`);
    expect(text).toContain(`npx ringback users --server ${shown.url}\n`);
    expect(text).not.toContain('--script');
  });

  it('is a 404 in a deployment, and for other methods', async () => {
    expect((await fetch(hidden.url)).status).toBe(404);
    expect((await fetch(sim.url, { method: 'POST' })).status).toBe(404);
  });
});

it('a table has columns, and no character of a value that a terminal obeys', () => {
  expect(tableOf(['a', 'name'], [['long', 'x\u001B[31m']])).toBe('a     name\nlong  x\\u{1b}[31m\n');
  expect(tableOf(['a', 'b'], [['\u202Ex\n', 'y']])).toBe('a               b\n\\u{202e}x\\u{a}  y\n');
});

it('a number of rows is from 1 to 1000', () => {
  expect([parseRows('1'), parseRows('1000')]).toEqual([1, 1_000]);
  for (const text of ['0', '1001', '1.5', 'all']) expect(() => parseRows(text)).toThrow(/1 to 1000/);
});
