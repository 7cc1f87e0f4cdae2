import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Letters } from '../../../sim/product/accounts/letters.ts';
import type { Database } from '../../../sim/store/database.ts';
import { HandClock } from '../exchange/house.ts';
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
    clock = new HandClock();
    [taken, logged, takes] = [[], [], () => true];
  });
  afterEach(() => databases.close());

  /** A server on the database. */
  function server(hasCourier = true): Letters {
    const deliver = async ({ to, about, at }: { to: string; about: string; at: number }) => {
      if (!takes(to)) throw new Error('no line');
      taken.push([to, about, at]);
    };
    return new Letters({
      database,
      clock,
      ids: { uuid: () => `letter-${(ids += 1)}` },
      log: { warn: (text) => void logged.push(text), error: (text) => void logged.push(text) },
      courier: hasCourier ? { deliver } : null,
    });
  }
  const keep = (letters: Letters, to: readonly (typeof EMAIL | typeof PHONE)[] = [EMAIL, PHONE]) =>
    database.transact((transaction) => letters.keep(transaction, to, 'contact_changed'));
  const waiting = async () => (await database.db.selectFrom('ringback_letters').selectAll().execute()).length;
  /** What is due then is done. */
  async function pass(letters: Letters, ms: number): Promise<void> {
    clock.advance(ms);
    await letters.settled();
  }

  it('come once what they tell is done, and are forgotten', async () => {
    const letters = server();
    const at = clock.now();
    await keep(letters);
    expect(taken).toEqual([]);
    await letters.deliver();
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
    await letters.deliver();
    expect(taken).toHaveLength(2);
  });

  it('are tried again each minute until the courier takes them, the others at once', async () => {
    const letters = server();
    takes = (to) => to !== EMAIL.value;
    await keep(letters);
    await letters.deliver();
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

  it('are given up after a day', async () => {
    const letters = server();
    takes = () => false;
    await keep(letters, [EMAIL]);
    await letters.deliver();
    clock.advance(DAY);
    await letters.settled();
    await letters.deliver();
    expect([await waiting(), taken]).toEqual([0, []]);
  });

  it('are delivered by the next server where one dies before it could, and by one of two', async () => {
    const died = server();
    await keep(died, [EMAIL]);
    died.dispose();
    const two = [server(), server()];
    await Promise.all(two.map((letters) => letters.deliver()));
    expect(taken.map(([to]) => to)).toEqual([EMAIL.value]);
    for (const letters of two) letters.dispose();
  });

  it('are not kept by a server that carries none', async () => {
    await keep(server(false));
    expect(await waiting()).toBe(0);
  });
});
