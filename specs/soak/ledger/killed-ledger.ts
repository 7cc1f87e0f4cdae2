/** L8: clients give gifts to a server that is killed repeatedly. Every answered gift is booked once. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crashGifts } from '../../wrtc/gift-crash.ts';
import type { SoakRun } from '../soak-run.ts';

interface GiftLoad {
  readonly clients: number;
  /** The gifts of each client. */
  readonly gifts: number;
  readonly killEvery: number;
}

const LOADS: Readonly<Record<'short' | 'long', GiftLoad>> = {
  short: { clients: 12, gifts: 20, killEvery: 80 },
  long: { clients: 64, gifts: 1_563, killEvery: 5_000 },
};

export const L8: SoakRun = {
  id: 'L8',
  about: '100,000 gifts of 64 clients, with kill -9 after each 5,000: the ledger is exact',
  minutes: null,
  shortMs: 0,
  takesServers: false,
  async run(soak) {
    const load = LOADS[soak.isShort ? 'short' : 'long'];
    const wanted = load.clients * load.gifts;
    const folder = mkdtempSync(join(tmpdir(), 'ringback-soak-ledger-'));
    try {
      soak.say(`${wanted} gifts`);
      const books = await crashGifts({
        database: join(folder, 'money.db'),
        ...load,
        onAnswer(answered) {
          soak.say(`${answered} of ${wanted} gifts are answered`);
          if (answered % 500 === 0) soak.point('Answered gifts', 'gifts', answered);
        },
      });
      const { answered, booked, bookedRequests, coinsOff, pointsOff, kills, again, took, faults } = books;
      soak.figure(
        'gifts answered',
        `${answered}, ${(answered / (took / 1_000)).toFixed(0)} a second with all restarts`,
      );
      soak.figure('kills', `${kills}, after which ${again} requests were sent again`);
      soak.condition('every gift is answered', answered === wanted, `${answered} of ${wanted}`);
      soak.condition(
        'the server was killed during requests',
        kills > 0 && again > 0,
        `${kills} kills, ${again} requests`,
      );
      soak.condition('each answered gift is booked', booked >= answered, `${booked} booked`);
      soak.condition(
        'no gift is booked twice',
        booked === bookedRequests,
        `${booked} bookings of ${bookedRequests} requests`,
      );
      soak.condition(
        'the sums of coins and points are exact',
        coinsOff === 0 && pointsOff === 0,
        `${coinsOff} coins and ${pointsOff} points off`,
      );
      soak.condition('the audit of the ledger finds nothing', faults.length === 0, faults.join('; ') || 'nothing');
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
};
