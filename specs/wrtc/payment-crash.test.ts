/** Payments when the server is killed between their steps. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import * as v from 'valibot';
import { openMigrated } from '../../sim/store/open-store.ts';
import { demoPeople } from '../../sim/server/demo-people.ts';
import { scaled } from '../../tools/run/machine-factor.ts';
import { audit } from '../unit/product/support/audit.ts';
import { post } from './gift-crash.ts';

const PROGRAM = join(import.meta.dirname, 'payment-server.ts');
const started = v.object({ url: v.string() });
const question = v.object({ id: v.number(), ask: v.picklist(['begin', 'status']), orderNo: v.string() });

/** The moment at which a server is killed: before the bank accepts the payment, before its answer, or never. */
const KILLS = ['before', 'after', 'never', 'after', 'before', 'after'] as const;

test('S27 F55 a payment is credited once if the bank accepted it, and otherwise never, although the server is killed between its steps', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'ringback-payments-'));
  const database = join(folder, 'money.db');
  const man = demoPeople().find(({ gender_type }) => gender_type === 'man')?.u_id ?? '';
  const taken = new Set<string>();
  let kill: (typeof KILLS)[number] = 'never';
  let server: ChildProcess | undefined;
  let authorization = '';

  /** Starts a server on the database, and answers it as the bank. */
  async function start(): Promise<string> {
    const child = fork(PROGRAM, [database], {
      execArgv: ['--import', 'tsx'],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    server = child;
    const url = new Promise<string>((resolve, reject) => {
      child.on('exit', () => reject(new Error('The server did not start.')));
      child.on('message', (message) => {
        const ready = v.safeParse(started, message);
        if (ready.success) return resolve(ready.output.url);
        const { id, ask, orderNo } = v.parse(question, message);
        if (ask === 'begin' && kill !== 'before') taken.add(orderNo);
        if (ask === 'begin' && kill !== 'never') return void child.kill('SIGKILL');
        const unknown = { status: 'unknown' };
        child.send({ id, status: taken.has(orderNo) ? { status: 'paid' } : unknown });
      });
    });
    return url;
  }

  /** Kills the server, and waits for its end. */
  async function stop(): Promise<void> {
    if (!server || server.exitCode !== null || server.signalCode !== null) return;
    server.kill('SIGKILL');
    await once(server, 'exit');
  }

  const readBooks = async () => {
    const opened = await openMigrated(database, { warn: () => undefined });
    const rows = await opened.db.selectFrom('ringback_deposits').select(['order_no', 'status']).execute();
    const sold = await opened.db.selectFrom('ringback_transfers').where('kind', '=', 'deposit').select('key').execute();
    const faults = await audit(opened);
    await opened.db.destroy();
    return { rows, sold: sold.length, faults };
  };

  try {
    let url = await start();
    for (const [at, one] of KILLS.entries()) {
      kill = one;
      const { body } = await post(`${url}/auth/login`, { user_id: man }, {});
      const { token } = v.parse(v.object({ token: v.string() }), body);
      authorization = `Bearer ${token}`;
      const headers = { authorization, 'idempotency-key': `a-deposit-${at}` };
      const pack = { pack_id: 'coins-100', method: 'card', card_number: '4242424242424242' };
      const answer = await post(`${url}/deposits`, pack, headers).catch(() => null);
      expect(answer === null).toBe(one !== 'never');
      if (answer) continue;
      await stop();
      kill = 'never';
      url = await start();
    }
    const undecided = async () => {
      const response = await fetch(`${url}/deposits?status=processing`, { headers: { authorization } });
      return v.parse(v.object({ items: v.array(v.unknown()) }), await response.json()).items.length;
    };
    await expect.poll(undecided, { timeout: scaled(20_000), interval: 50 }).toBe(0);
    await stop();
    const books = await readBooks();
    const paid = books.rows.filter(({ status }) => status === 'paid').map(({ order_no }) => order_no);
    expect(paid.toSorted()).toEqual([...taken].toSorted());
    expect(books).toMatchObject({ sold: taken.size, faults: [] });
    expect([books.rows.length, taken.size]).toEqual([KILLS.length, 4]);
  } finally {
    await stop();
    rmSync(folder, { recursive: true });
  }
});
