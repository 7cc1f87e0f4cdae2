/**
 * Clients that give gifts at the same time to a server that is killed repeatedly, or whose database is, and the state
 * of the ledger afterwards.
 */
import { openMigrated } from '../../sim/store/open-store.ts';
import { Ledger } from '../../sim/product/ledger/ledger.ts';
import { testUsers } from '../../cli/test-users.ts';
import { startSoakServer } from '../soak/server/soak-server.ts';
import { audit } from '../unit/product/support/audit.ts';
import { ringback, type Terminal } from './terminal.ts';

const GIFT = { gift_id: 'rose', coins: 10, hundredths: 500 };
const WOMAN = 'alice';
/** The gifts that a client gives as one man. The server accepts 120 writes of an account in a minute. */
const GIFTS_OF_MAN = 100;

interface GiftCrash {
  /** The path of a database, or a url of PostgreSQL. No other test uses it. */
  readonly database: string;
  readonly clients: number;
  /** The number of gifts of each client. */
  readonly gifts: number;
  /** The number of answered gifts after which the server is killed. */
  readonly killEvery: number;
  /** Stops something else and starts it again. Default: kills the server and starts another one. */
  readonly restart?: () => Promise<void>;
  /** Receives the number of answered gifts after each one. Default: none. */
  readonly onAnswer?: (answered: number) => void;
}

export interface GiftBooks {
  readonly kills: number;
  /** Requests that were retried because no answer arrived. */
  readonly again: number;
  /** Milliseconds from the first gift to the last answer, with all restarts. */
  readonly took: number;
  readonly answered: number;
  /** The number of gifts in the ledger, and of requests. */
  readonly booked: number;
  readonly bookedRequests: number;
  /** The difference of the coins of men, and of the points of the woman in hundredths. */
  readonly coinsOff: number;
  readonly pointsOff: number;
  /** Other faults of the ledger. */
  readonly faults: readonly string[];
}

export async function crashGifts(options: GiftCrash): Promise<GiftBooks> {
  const { database, clients, gifts, killEvery, onAnswer } = options;
  const menOfClient = Math.ceil(gifts / GIFTS_OF_MAN);
  // More than a third of test users are men.
  const users = [WOMAN, ...Array.from({ length: 3 * clients * menOfClient }, (_, at) => `giver-${at}`)];
  const men = testUsers(users)
    .filter(({ gender_type }) => gender_type === 'man')
    .map(({ u_id }) => u_id)
    .slice(0, clients * menOfClient);
  const manOf = (client: number, gift: number): string =>
    men[client * menOfClient + Math.floor(gift / GIFTS_OF_MAN)] ?? '';
  const budget = GIFTS_OF_MAN * GIFT.coins;
  await giveCoins(database, men, budget);

  const start = () => startSoakServer({ users, database });
  let server = await start();
  let restarting: Promise<void> = Promise.resolve();
  let [kills, again, answered] = [0, 0, 0];
  let isRestarting = false;
  const restart = async (): Promise<void> => {
    kills += 1;
    if (options.restart) return options.restart();
    isRestarting = true;
    await server.kill();
    server = await start();
    isRestarting = false;
  };

  let took = 0;
  try {
    const tokens = new Map<string, string>();
    for (const man of men) {
      const { body } = await post(`${server.url}/auth/login`, { user_id: man }, {});
      tokens.set(man, String((body as { token?: unknown }).token));
    }

    /** Sends the same request until it is answered. */
    async function send(client: number, gift: number): Promise<void> {
      const headers = {
        authorization: `Bearer ${tokens.get(manOf(client, gift))}`,
        'idempotency-key': `client-${client}-gift-${gift}`,
      };
      for (;;) {
        await restarting;
        const asked = server;
        const answer = await post(
          `${asked.url}/gifts/send`,
          { to: WOMAN, gift_id: GIFT.gift_id, count: 1 },
          headers,
        ).catch(() => null);
        if (answer?.status === 200) return;
        // A server without its database answers 503.
        if (answer && answer.status !== 503) throw new Error(`A gift was refused: ${JSON.stringify(answer)}`);
        if (asked === server && asked.isOver && !isRestarting) throw new Error('The server ended by itself.');
        again += 1;
      }
    }

    const began = performance.now();
    await Promise.all(
      Array.from({ length: clients }, async (_, client) => {
        for (let gift = 0; gift < gifts; gift += 1) {
          await send(client, gift);
          answered += 1;
          onAnswer?.(answered);
          // Other gifts are being answered at this moment.
          if (answered % killEvery === 0 && answered < clients * gifts) restarting = restarting.then(restart);
        }
      }),
    );
    took = performance.now() - began;
  } finally {
    // The processes also end after a failed test.
    await restarting.catch(() => undefined);
    await server.kill();
  }
  return { kills, again, took, answered, ...(await books(database, men, budget, clients * gifts)) };
}

/** Starts a server with this database. */
export async function startSim(database: string): Promise<{ readonly terminal: Terminal; readonly url: string }> {
  const terminal = ringback(['sim', '--demo', '--port', '0', '--database', database]);
  await terminal.saw(/stop +Ctrl-C/);
  return { terminal, url: /exchange +(http:\/\/\S+)/.exec(terminal.out)?.[1] ?? '' };
}

export async function post(url: string, body: unknown, headers: Readonly<Record<string, string>>) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: (await response.json()) as unknown };
}

/** Deposits coins for all users, before the server starts. */
export async function giveCoins(database: string, men: readonly string[], coins: number): Promise<void> {
  const opened = await openMigrated(database, { warn: () => undefined });
  const ledger = new Ledger(opened);
  await opened.transact(async (transaction) => {
    for (const man of men) {
      await ledger.post(transaction, {
        key: `given:${man}`,
        kind: 'bonus',
        at: 0,
        ref: {},
        lines: [
          { account: 'house:sold', delta: -coins },
          { account: `coins:${man}`, delta: coins },
        ],
      });
    }
  });
  await opened.db.destroy();
}

async function books(database: string, men: readonly string[], budget: number, sent: number) {
  const opened = await openMigrated(database, { warn: () => undefined });
  const ledger = new Ledger(opened);
  const rows = await opened.db.selectFrom('ringback_transfers').where('kind', '=', 'gift').select('key').execute();
  // gift:{man}:{key of the request}:{time}
  const requests = new Set(rows.map(({ key }) => key.split(':').slice(0, -1).join(':')));
  let coins = 0;
  for (const man of men) coins += await ledger.balance(`coins:${man}`);
  const points = await ledger.balance(`settling:${WOMAN}`);
  const faults = await audit(opened);
  await opened.db.destroy();
  return {
    booked: rows.length,
    bookedRequests: requests.size,
    coinsOff: coins - (men.length * budget - sent * GIFT.coins),
    pointsOff: points - sent * GIFT.hundredths,
    faults,
  };
}
