import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { SecurityNotices } from '../../../sim/product/accounts/security-notices.ts';
import type { Database } from '../../../sim/store/database.ts';
import { HandClock } from '../support/hand-clock.ts';
import { databasesOf, EVERY } from './support/databases.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const EMAIL = { kind: 'email', value: 'mei@example.com' } as const;
const PHONE = { kind: 'phone', value: '+886912345678' } as const;

describe.each(EVERY)('letters, kept in %s', (kind) => {
  const databases = databasesOf(kind);
  let database: Database;
  let clock: HandClock;
  let taken: [string, string, number][];
  let logged: string[];
  let takes: (to: string) => boolean;
  let ids = 0;

  beforeEach(async (context) => {
    databases.skipIfMissing(context);
    database = await databases.make();
    clock = new HandClock(Date.UTC(2026, 0, 1));
    [taken, logged, takes] = [[], [], () => true];
  });
  afterEach(() => databases.close());

  const deliverTo = async ({ to, about, at }: { to: string; about: string; at: number }) => {
    if (!takes(to)) throw new Error('no line');
    taken.push([to, about, at]);
  };
  /** A server on the database. */
  function server(hasCourier = true, hand = deliverTo): SecurityNotices {
    return new SecurityNotices({
      database,
      clock,
      ids: { uuid: () => `letter-${(ids += 1)}` },
      log: { warn: (text) => void logged.push(text), error: (text) => void logged.push(text) },
      courier: hasCourier ? { deliver: hand } : null,
    });
  }
  const keep = (letters: SecurityNotices, to: readonly (typeof EMAIL | typeof PHONE)[] = [EMAIL, PHONE]) =>
    database.transact((transaction) => letters.keep(transaction, to, 'contact_changed'));
  const waiting = async () => (await database.db.selectFrom('ringback_letters').selectAll().execute()).length;
  async function deliver(letters: SecurityNotices): Promise<void> {
    letters.deliver();
    await letters.settled();
  }
  /** Runs the work that is due at that time. */
  async function pass(letters: SecurityNotices, ms: number): Promise<void> {
    clock.advance(ms);
    await letters.settled();
  }

  it('are sent once their change is committed, and deleted', async () => {
    const letters = server();
    const at = clock.wallTime();
    await keep(letters);
    expect(taken).toEqual([]);
    await deliver(letters);
    expect(taken).toEqual([
      [EMAIL.value, 'contact_changed', at],
      [PHONE.value, 'contact_changed', at],
    ]);
    expect(await waiting()).toBe(0);
    const undone = database.transact(async (transaction) => {
      await letters.keep(transaction, [EMAIL], 'password_changed');
      throw new Error('it was not done');
    });
    await expect(undone).rejects.toThrow('it was not done');
    await deliver(letters);
    expect(taken).toHaveLength(2);
  });

  it('are retried each minute until the courier accepts them, and do not delay other letters', async () => {
    const letters = server();
    takes = (to) => to !== EMAIL.value;
    await keep(letters);
    await deliver(letters);
    expect(taken.map(([to]) => to)).toEqual([PHONE.value]);
    await pass(letters, MINUTE - 1);
    await pass(letters, 1);
    expect(logged).toEqual(['a letter was not delivered', 'a letter was not delivered']);
    takes = () => true;
    await pass(letters, MINUTE);
    expect(taken.map(([to]) => to)).toEqual([PHONE.value, EMAIL.value]);
    expect(await waiting()).toBe(0);
    await pass(letters, DAY);
    expect(taken).toHaveLength(2);
  });

  it('are not delayed by a courier that never answers, and no request waits for it', async () => {
    let asked = 0;
    const hanging = server(true, () => {
      asked += 1;
      return new Promise<void>(() => undefined);
    });
    await keep(hanging);
    hanging.deliver();
    await vi.waitFor(() => expect(asked).toBe(1));
    clock.advance(20_000);
    await vi.waitFor(() => expect(asked).toBe(2));
    clock.advance(20_000);
    await hanging.settled();
    expect([await waiting(), logged.length]).toEqual([2, 2]);
  });

  it('are found by a server that created no letter', async () => {
    const other = server();
    await deliver(other);
    await keep(server(), [EMAIL]);
    await pass(other, MINUTE);
    expect(taken.map(([to]) => to)).toEqual([EMAIL.value]);
  });

  it('are dropped after a day', async () => {
    const letters = server();
    takes = () => false;
    await keep(letters, [EMAIL]);
    await deliver(letters);
    await pass(letters, DAY);
    expect([await waiting(), taken]).toEqual([0, []]);
  });

  it('are sent by the next server when one stops before it has sent them, and by only one of two servers', async () => {
    const died = server();
    await keep(died, [EMAIL]);
    died.dispose();
    const two = [server(), server()];
    await Promise.all(two.map(deliver));
    expect(taken.map(([to]) => to)).toEqual([EMAIL.value]);
    for (const letters of two) letters.dispose();
  });

  it('are not stored by a server without a courier', async () => {
    await keep(server(false));
    expect(await waiting()).toBe(0);
  });
});
