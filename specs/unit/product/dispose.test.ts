/** The end of a product server: what it has started stops, also when it has not opened yet. */
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { Product } from '../../../sim/product/product.ts';
import { simulatedPayoutDesk } from '../../../sim/product/points/payout-desk.ts';
import { insertRedemption } from '../../../sim/product/points/redemption-rows.ts';
import { DEPOSIT_RULES, REDEMPTION_RULES } from '../../../sim/product/rules.ts';
import { Identities } from '../../../sim/product/verification/identities.ts';
import { simulatedReviewer } from '../../../sim/product/verification/reviewer.ts';
import { nodeIds } from '../../../sim/server/node-ports.ts';
import type { Database } from '../../../sim/store/database.ts';
import { HandClock } from '../support/hand-clock.ts';
import { aCallingService, createListeners } from './support/calling-service.ts';
import { cheapPasswords } from './support/cheap-passwords.ts';
import { clockedLimits } from './support/clocked-limits.ts';
import { aPerson } from './support/stage.ts';
import { openTestDatabase } from './support/test-database.ts';
import { productLog } from './support/product-log.ts';

function aProduct(database: Promise<Database>) {
  const clock = new HandClock();
  const listeners = createListeners();
  const product = new Product({
    clock,
    rateLimits: clockedLimits(clock),
    ids: nodeIds,
    log: productLog(() => undefined, clock),
    database: () => database,
    people: [aPerson('mei', 'woman', { verified: false })],
    isDemo: true,
    isBilled: true,
    ports: { passwords: cheapPasswords },
    calling: aCallingService({ subscribe: listeners.subscribe }),
    apiUrl: 'http://product.test',
    portrait: () => '<svg/>',
  });
  return { product, clock, listeners };
}

describe('a disposed product', () => {
  it('has neither timers nor listeners', async () => {
    const database = await openTestDatabase(':memory:');
    const { product, clock, listeners } = aProduct(Promise.resolve(database));
    await product.opened();
    await product.settled();
    expect([clock.pending > 0, listeners.count > 0]).toEqual([true, true]);
    await product.dispose();
    expect([clock.pending, listeners.count]).toEqual([0, 0]);
    await product.settled();
    await database.db.destroy();
  });

  it('stops a part that opens after the product was disposed', async () => {
    const database = await openTestDatabase(':memory:');
    let connect: (database: Database) => void = () => undefined;
    const { product, clock, listeners } = aProduct(new Promise((resolve) => (connect = resolve)));
    const opened = product.opened();
    await product.dispose();
    connect(database);
    await opened;
    await product.settled();
    expect([clock.pending, listeners.count]).toEqual([0, 0]);
    await database.db.destroy();
  });

  it('has stopped the areas of a start that failed half way, and opens at the next request', async () => {
    const database = await openTestDatabase(':memory:');
    const { product, clock, listeners } = aProduct(Promise.resolve(database));
    const before = [clock.pending, listeners.count];
    const row = { document_kind: 'id_card' as const, note: '', submitted_at: 0, reasons: '[]' };
    await database.db
      .insertInto('ringback_identities')
      .values([
        { ...row, u_id: 'a', state: 'pending', decided_at: clock.wallTime() + 1_000, expires_at: null },
        { ...row, u_id: 'mei', state: 'approved', decided_at: 0, expires_at: 0 },
      ])
      .execute();
    await sql`create trigger broken before update on ringback_profiles begin select raise(abort, 'broken'); end`.execute(
      database.db,
    );
    await expect(product.opened()).rejects.toThrow('broken');
    expect([clock.pending, listeners.count]).toEqual(before);
    await sql`drop trigger broken`.execute(database.db);
    await product.opened();
    await product.settled();
    expect(clock.pending).toBeGreaterThan(before[0] ?? 0);
    await product.dispose();
    expect([clock.pending, listeners.count]).toEqual([0, 0]);
    await database.db.destroy();
  });

  it('sets no timer for a redemption whose step runs meanwhile', async () => {
    const database = await openTestDatabase(':memory:');
    const { product, clock } = aProduct(Promise.resolve(database));
    const given = { redemption_id: 'r1', u_id: 'mei', bank_code: '822', account_number: '123456789012', holder: 'Mei' };
    await database.transact((transaction) =>
      insertRedemption(
        transaction,
        { ...given, amount: REDEMPTION_RULES.least },
        clock.wallTime(),
        simulatedPayoutDesk,
      ),
    );
    await product.opened();
    await product.settled();
    clock.advance(simulatedPayoutDesk.waitsMs);
    await product.dispose();
    await product.settled();
    const stored = database.db.selectFrom('ringback_redemptions').select('state').executeTakeFirstOrThrow();
    expect([await stored, clock.pending]).toEqual([{ state: 'reviewing' }, 0]);
    await database.db.destroy();
  });

  it('sets no timer for a verification that is submitted meanwhile', async () => {
    const database = await openTestDatabase(':memory:');
    const { product, clock } = aProduct(Promise.resolve(database));
    const identities = new Identities(await product.opened(), simulatedReviewer);
    for (const step of ['front', 'back', 'selfie'] as const) {
      await identities.put('mei', 'id_card', step, () => Promise.resolve('a picture'));
    }
    await product.dispose();
    await product.settled();
    const submitted = identities.submit('mei', '');
    identities.dispose();
    await submitted;
    const { state } = await identities.statusOf('mei');
    expect([state, clock.pending]).toEqual(['pending', 0]);
    await database.db.destroy();
  });

  it('sets no timer for payments that it asks about meanwhile', async () => {
    const database = await openTestDatabase(':memory:');
    const { product, clock } = aProduct(Promise.resolve(database));
    await product.opened();
    await product.settled();
    clock.advance(DEPOSIT_RULES.lookMs);
    await product.dispose();
    await product.settled();
    expect(clock.pending).toBe(0);
    await database.db.destroy();
  });
});
