/** What becomes of money where the server dies. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { crashGifts } from './gift-crash.ts';

test('S27 S25 every gift that was answered is in the books, once and to the coin, though the server was killed again and again', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'ringback-crash-'));
  try {
    const [clients, gifts] = [12, 20];
    const { took, again, ...rest } = await crashGifts({
      database: join(folder, 'money.db'),
      clients,
      gifts,
      killEvery: 80,
    });
    expect(rest).toEqual({
      kills: 2,
      answered: clients * gifts,
      booked: clients * gifts,
      bookedRequests: clients * gifts,
      coinsOff: 0,
      pointsOff: 0,
      faults: [],
    });
    // It was killed while it had work to do.
    expect(again).toBeGreaterThan(0);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
