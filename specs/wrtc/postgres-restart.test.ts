/** PostgreSQL that stops and starts again under a running server. */
import { expect, onTestFinished, test } from 'vitest';
import { scaled } from '../../tools/run/machine-factor.ts';
import { crashGifts } from './gift-crash.ts';
import { NO_POSTGRES_SERVER, startPostgres } from './postgres-server.ts';

test.skipIf(NO_POSTGRES_SERVER !== undefined).each(['fast', 'immediate'] as const)(
  'S27 F55 PostgreSQL that stops (%s) and starts again between gifts: no acknowledged gift is lost, none is booked twice',
  { timeout: scaled(180_000) },
  async (how) => {
    const postgres = await startPostgres();
    onTestFinished(() => postgres.dispose());
    const books = await crashGifts({
      database: postgres.url,
      clients: 4,
      gifts: 15,
      killEvery: 20,
      async restart() {
        await postgres.stop(how);
        await postgres.start();
      },
    });
    expect(books).toMatchObject({
      kills: 2,
      answered: 60,
      booked: 60,
      bookedRequests: 60,
      coinsOff: 0,
      pointsOff: 0,
      faults: [],
    });
    // Requests were under way when the database stopped.
    expect(books.again).toBeGreaterThan(0);
  },
);
