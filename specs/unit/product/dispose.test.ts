/** The end of a product server: what it has started stops, also when it has not opened yet. */
import { describe, expect, it } from 'vitest';
import { Log } from '../../../sim/exchange/logging/log.ts';
import { Product } from '../../../sim/product/product.ts';
import { nodeIds } from '../../../sim/server/node-ports.ts';
import type { Database } from '../../../sim/store/database.ts';
import { HandClock } from '../support/hand-clock.ts';
import { aCallingService, createListeners } from './support/calling-service.ts';
import { cheapPasswords } from './support/cheap-passwords.ts';
import { clockedLimits } from './support/clocked-limits.ts';
import { openTestDatabase } from './support/test-database.ts';

function aProduct(database: Promise<Database>) {
  const clock = new HandClock();
  const listeners = createListeners();
  const product = new Product({
    clock,
    rateLimits: clockedLimits(clock),
    ids: nodeIds,
    log: new Log(() => undefined, clock),
    database: () => database,
    people: [],
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

  it('stops what opens after it was disposed', async () => {
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
});
