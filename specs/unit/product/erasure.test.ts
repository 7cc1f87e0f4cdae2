/** What remains of a user in the database after the account is deleted, and after a row has expired. */
import { type Kysely, sql } from 'kysely';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { RETENTION_RULES } from '../../../sim/product/rules.ts';
import { Ledger } from '../../../sim/product/ledger/ledger.ts';
import type { EndpointName } from '../../../src/protocol/product/api.ts';
import type { Tables } from '../../../sim/store/tables/tables.ts';
import { SqlStore } from '../../../sim/store/sql-store.ts';
import { migratedSchema, NO_POSTGRES } from '../../contract/store/postgres-schema.ts';
import { aRecord } from '../../contract/store/store.contract.ts';
import { pushReceiver } from '../push/decrypt-push.ts';
import { aMan, aPhoto, aWoman, DAY, HOUR, openAccountsWorld, type AccountsWorld } from './support/accounts-world.ts';
import { audit } from './support/audit.ts';

const undo: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const one of undo.splice(0).toReversed()) await one();
});

async function open(kind: string): Promise<AccountsWorld> {
  const schema = kind === 'PostgreSQL' ? await migratedSchema() : undefined;
  if (schema) undo.push(() => schema.drop());
  const world = await openAccountsWorld({}, schema?.url);
  undo.push(() => world.close());
  return world;
}

/** Every table of the database, as the database itself lists them, each with its rows as text. */
async function everyTable(db: Kysely<Tables>): Promise<Map<string, string>> {
  const isSqlite = (await sql`select 1`.execute(db).then(() => db.getExecutor().adapter.constructor.name)).startsWith(
    'Sqlite',
  );
  const { rows } = await (
    isSqlite
      ? sql<{ name: string }>`select name from sqlite_master where type = 'table' and name not like 'sqlite_%'`
      : sql<{
          name: string;
        }>`select table_name as name from information_schema.tables where table_schema = current_schema()`
  ).execute(db);
  const tables = new Map<string, string>();
  for (const { name } of rows) {
    const all = await sql`select * from ${sql.table(name)}`.execute(db);
    tables.set(
      name,
      all.rows
        .map((row) =>
          Object.values(row as object)
            .map(textOf)
            .join(' '),
        )
        .join('\n'),
    );
  }
  return tables;
}

/** Bytes are a Buffer or an ArrayBuffer, depending on the database. */
const textOf = (value: unknown): string =>
  typeof value === 'object' && value !== null
    ? Buffer.from(new Uint8Array(value as ArrayBuffer)).toString('latin1')
    : JSON.stringify(value);

/**
 * The tables in which a user of this test leaves nothing even with an account. They have hashes, no user at all, or a
 * live call.
 */
const OF_NO_USER = [
  ...['migrations', 'secrets', 'world', 'exchanges'],
  ...['live_calls', 'live_signals', 'reservations', 'callers'],
];
/** The books and the histories of others: only the id, a random number, stays there. */
const MAY_NAME = [
  ...['transfers', 'entries', 'balances', 'purses', 'settlements', 'charge_sessions', 'deposits', 'redemptions'],
  'calls',
];

/** Values that only the two deleted users have entered. Each is in at least one table. */
const CANARIES = {
  man: { nickname: 'canary小樹', contact: 'canary.man@example.com', invoice: '/CANARY1', text: 'canary-text-by-man' },
  woman: {
    nickname: 'canary小鳥',
    contact: '+886977111222',
    intro: 'canary-intro',
    note: 'canary-note-to-reviewer',
    text: 'canary-text-by-woman',
    report: 'canary-report-by-woman',
    about: 'canary-report-about-woman',
    account: '987600054321',
    holder: 'canary王小鳥',
    voice: 'canary-in-a-voice-note',
    voip: 'canary-voip-token',
    network: 'canary-network',
    item: 'canary-item',
    letter: 'canary-new@example.com',
  },
} as const;

describe.each([['SQLite'], ['PostgreSQL']])('the deletion of an account on %s', (kind) => {
  it.skipIf(kind === 'PostgreSQL' && NO_POSTGRES !== undefined)(
    'leaves no data of the person in any table, and the ledger balanced',
    async () => {
      const world = await open(kind);
      const { db } = world.database;
      const { man: his, woman: hers } = CANARIES;
      const man = await world.register(aMan, { nickname: his.nickname, contact: his.contact });
      const woman = await world.register(aWoman, {
        nickname: hers.nickname,
        contact: hers.contact,
        service: { ...aWoman.service, intro: hers.intro },
      });
      const other = await world.register(aMan, { nickname: '阿德', contact: 'other@example.com' });
      await fill(world, { man, woman, other });

      const canaries = [...Object.values(his), ...Object.values(hers)];
      const uIds = [man.u_id, woman.u_id];
      const before = await everyTable(db);
      const empty = [...before].filter(([, text]) => namesOf(text, [...canaries, ...uIds]).length === 0);
      expect(empty.map(([table]) => bare(table)).toSorted()).toEqual(OF_NO_USER.toSorted());
      expect(namesOf([...before.values()].join('\n'), canaries)).toEqual(canaries);

      await world.ask('deleteMe', { body: { password: aMan.password } }, man.token);
      await world.ask('deleteMe', { body: { password: aWoman.password } }, woman.token);

      const after = await everyTable(db);
      for (const [table, text] of after) {
        const sought = MAY_NAME.includes(bare(table)) ? canaries : [...canaries, ...uIds];
        expect([table, namesOf(text, sought)]).toEqual([table, []]);
      }
      // The other user keeps an account and a history with a call, and the books are complete.
      expect(await new SqlStore(world.database).history(wholeHistory(other.u_id))).toMatchObject({
        calls: [{ participants: [{ user_id: other.u_id }, { user_id: woman.u_id, nickname: '', metadata: {} }] }],
      });
      expect(await audit(world.database)).toEqual([]);
    },
  );
});

const bare = (table: string): string => table.replace('ringback_', '');
const namesOf = (text: string, names: readonly string[]): string[] => names.filter((name) => text.includes(name));
const wholeHistory = (userId: string) =>
  ({ userId, role: null, endResults: [], from: 0, to: 2 ** 52, limit: 10, after: null }) as const;

type Person = { readonly u_id: string; readonly token: string };

/**
 * Makes the three users do everything that writes a row: by requests, or as the server would where a rule refuses a new
 * account.
 */
async function fill(
  world: AccountsWorld,
  { man, woman, other }: Record<'man' | 'woman' | 'other', Person>,
): Promise<void> {
  const { db } = world.database;
  const { man: his, woman: hers } = CANARIES;
  const { rooms } = new SqlStore(world.database);
  for (const { u_id } of [man, woman]) {
    const room = {
      roomId: `room-of-${u_id}`,
      exchange: '',
      type: 'small_room_for_video',
      createdAt: 1,
      createdBy: u_id,
    } as const;
    const items = { items: { topic: hers.item }, affectedAt: 1 };
    await rooms.save({ ...room, items, sequence: 0, participants: 0, deletedAt: null });
    const stay = { participantId: `stay-of-${u_id}`, roomId: 'room', userId: u_id, clientId: 'one', reason: null };
    await rooms.saveStay({ ...stay, enteredAt: 1, exitedAt: 2, duration: 1 });
  }
  const { channel_url } = await world.ask('openChannel', { body: { u_id: woman.u_id } }, man.token);
  const params = { channel_url };
  await world.ask('sendMessage', { params, body: { client_id: 'message-1', type: 'text', text: his.text } }, man.token);
  await world.ask(
    'sendMessage',
    { params, body: { client_id: 'message-2', type: 'text', text: hers.text } },
    woman.token,
  );
  for (const [from, to] of [
    [man, woman],
    [woman, man],
    [other, woman],
  ] as const) {
    await world.ask('addFavorite', { body: { u_id: to.u_id } }, from.token);
    await world.ask('notifyWhenOnline', { params: { u_id: to.u_id } }, from.token);
  }
  const bytes = Buffer.concat([Buffer.from([0x1a, 0x45, 0xdf, 0xa3]), Buffer.alloc(2_000, 7), Buffer.from(hers.voice)]);
  const voice = { mediaType: 'audio/webm', bytes } as const;
  expect((await world.http('uploadMedia', { query: { for: 'chat' }, body: voice }, woman.token)).status).toBe(200);
  const photo = { mediaType: 'image/jpeg', bytes: Buffer.from(await aPhoto(), 'base64') } as const;
  const uploaded = await world.http('uploadMedia', { query: { for: 'profile' }, body: photo }, woman.token);
  const { media_id } = uploaded.body as { media_id: string };
  await db.insertInto('ringback_profile_photos').values({ u_id: woman.u_id, place: 0, media_id }).execute();
  const { token } = pushReceiver('https://fcm.googleapis.com/fcm/send/one');
  await world.ask('savePushToken', { body: { token } }, woman.token);
  const proof = { password: aWoman.password };
  const account = { bank_code: '012', account_number: hers.account, holder: hers.holder } as const;
  await world.ask('setPayoutAccount', { body: { ...account, proof } }, woman.token);
  const picture = await aPhoto();
  for (const step of ['front', 'back', 'selfie'] as const) {
    await world.ask('putIdentityDocument', { body: { document_kind: 'id_card', step, picture } }, woman.token);
  }
  await world.ask('submitIdentity', { body: { consent: true, note: hers.note } }, woman.token);
  const bought = { pack_id: 'coins-100', method: 'card', card_number: '4242424242424242' } as const;
  await world.ask('deposit', { body: bought, key: 'deposit-by-card' }, man.token);
  await world.ask('sendGift', { body: { to: woman.u_id, gift_id: 'rose', count: 1 }, key: 'gift-of-roses' }, man.token);
  const deposit = { pack_id: 'coins-100', method: 'convenience_store', invoice: his.invoice } as const;
  await world.ask('deposit', { body: deposit, key: 'deposit-of-him' }, man.token);
  await world.ask('setDepositLimit', { body: { limit: 500 } }, man.token);
  await world.codeFor(hers.contact, 'login');
  await calls(world, { woman, other });
  await money(world, woman, man);
  await db
    .insertInto('ringback_letters')
    .values({ id: 'letter', destination: hers.contact, about: 'password_changed', kept_at: 0, due_at: 2 ** 52 })
    .execute();
  await db
    .insertInto('ringback_codes')
    .values({
      ...{ id: 'code', destination: hers.letter, purpose: `contact:${woman.u_id}`, code_hash: '' },
      ...{ sent_at: 0, expires_at: 2 ** 52, tries: 0 },
    })
    .execute();
  // Last, since users with a block do nothing more together.
  await world.ask('report', { body: { u_id: man.u_id, reason: 'other', note: hers.report } }, woman.token);
  await world.ask('report', { body: { u_id: woman.u_id, reason: 'other', note: hers.about } }, other.token);
  await world.ask('block', { body: { u_id: man.u_id } }, woman.token);
  await world.ask('block', { body: { u_id: woman.u_id } }, other.token);
}

/** A call of hers in the history of another user, with everything that the calling service stores of it. */
async function calls(world: AccountsWorld, { woman, other }: Record<'woman' | 'other', Person>): Promise<void> {
  const store = new SqlStore(world.database);
  const { woman: hers } = CANARIES;
  const record = aRecord(other.u_id, woman.u_id, { customItems: { topic: hers.item } });
  const [caller, callee] = record.participants;
  await store.saveCalls([{ ...record, participants: [caller, { ...callee, nickname: hers.nickname }] }]);
  await store.savePushToken({ userId: woman.u_id, type: 'fcm_voip', token: hers.voip }, false, 32);
  await store.saveSummary(
    record.callId,
    { userId: woman.u_id, clientId: 'phone' },
    {
      version: 1,
      user_role: 'dc_callee',
      summary_data: {
        ...{ end_result: 'completed', pdd: null, setup_time: null, reconnection_count: 0, candidate_type: null },
        network_type: hers.network,
        stats_interval: 10,
        audio: { codec: null, mos_list: [], mos: null, packet_loss_rate: null, rtt: null },
        video: null,
      },
    },
  );
  const rating = { call_id: record.callId, u_id: woman.u_id, stars: 1, at: 0 };
  await world.database.db.insertInto('ringback_call_ratings').values(rating).execute();
}

/** A charged call, points that settle, and a redemption that the review has approved. */
async function money(world: AccountsWorld, woman: Person, man: Person): Promise<void> {
  const { database, clock } = world;
  const { db } = database;
  const { woman: hers } = CANARIES;
  const now = clock.wallTime();
  await db
    .insertInto('ringback_charge_sessions')
    .values({
      ...{ session_id: 'session', man: man.u_id, woman: woman.u_id, kind: 'voice', rate: 20, count: 1, coins: 20 },
      ...{ points: 800, started_at: 0, duration: 60_000, end_result: 'completed', is_open: 0, touched_at: 0 },
    })
    .execute();
  await db.insertInto('ringback_volumes').values({ u_id: woman.u_id, day: 1, coins: 20 }).execute();
  await database.transact((transaction) =>
    new Ledger(database).post(transaction, {
      key: 'redeem:approved',
      kind: 'hold',
      at: now,
      ref: { redemption: 'approved' },
      lines: [
        { account: 'house:earned', delta: -100_000 },
        { account: `reviewing:${woman.u_id}`, delta: 100_000 },
      ],
    }),
  );
  await db
    .insertInto('ringback_redemptions')
    .values({
      ...{ redemption_id: 'approved', u_id: woman.u_id, amount: 1_000, fee: 15, bank_code: '012' },
      ...{ account_number: hers.account, holder: hers.holder, state: 'approved', fault: null, created_at: now },
      ...{ reviewing_at: now, decided_at: now, ended_at: null, expected_at: now + DAY, due_at: now + DAY },
    })
    .execute();
}

describe.skipIf(NO_POSTGRES !== undefined)('two participants who delete their accounts at the same time', () => {
  it('leave neither name in their calls, and no call without a history', async () => {
    const world = await open('PostgreSQL');
    const [man, woman] = [await world.register(aMan), await world.register(aWoman)];
    const other = await world.register(aMan, { nickname: '阿德', contact: 'other@example.com' });
    const store = new SqlStore(world.database);
    for (let at = 1; at <= 60; at += 1) {
      const record = aRecord(man.u_id, woman.u_id, { callId: `call-${at}`, createdAt: at });
      const [caller, callee] = record.participants;
      const named = [
        { ...caller, nickname: CANARIES.man.nickname },
        { ...callee, nickname: CANARIES.woman.nickname },
      ] as const;
      await store.saveCalls([{ ...record, participants: named }]);
    }
    await store.saveCalls([aRecord(other.u_id, woman.u_id, { callId: 'call of another', createdAt: 0 })]);
    const { accounts } = await world.product.opened();
    await Promise.all([accounts.close(man.u_id), accounts.close(woman.u_id)]);
    const kept = (await everyTable(world.database.db)).get('ringback_calls') ?? '';
    expect(namesOf(kept, [CANARIES.man.nickname, CANARIES.woman.nickname])).toEqual([]);
    expect(kept.split('\n')).toHaveLength(1);
    expect(kept).toContain('call of another');
  });
});

describe('an upload that waited in a queue during the deletion of its account', () => {
  it('is refused, and leaves no file', async () => {
    const world = await open('SQLite');
    const { u_id, token } = await world.register(aMan);
    const { media } = await world.product.opened();
    const photo = { mediaType: 'image/jpeg', bytes: Buffer.from(await aPhoto(), 'base64') } as const;
    await world.ask('deleteMe', { body: { password: aMan.password } }, token);
    await expect(media.add(u_id, 'profile', photo)).rejects.toMatchObject({ code: 'signed_out' });
    expect(await world.database.db.selectFrom('ringback_media').select('u_id').execute()).toEqual([]);
  });
});

describe('a request whose account is deleted before its transaction', () => {
  const text = 'a text of a closed account';
  const payout = { bank_code: '012', account_number: '987600054321', holder: '王小鳥' } as const;
  const proof = { password: aMan.password };

  /** A request, and the answer to it when the account of its sender or of the other user is closed. */
  interface Writer {
    readonly name: EndpointName;
    readonly from: 'man' | 'woman';
    readonly about?: 'other';
    readonly asked: (world: AccountsWorld, one: Person, other: Person) => Promise<object>;
  }
  const sendMessage: Writer = {
    name: 'sendMessage',
    from: 'man',
    async asked(world, man, woman) {
      const params = await world.ask('openChannel', { body: { u_id: woman.u_id } }, man.token);
      return { params: { channel_url: params.channel_url }, body: { client_id: 'message-1', type: 'text', text } };
    },
  };
  const openChannel: Writer = {
    name: 'openChannel',
    from: 'man',
    asked: async (_, __, { u_id }) => ({ body: { u_id } }),
  };
  const report: Writer = {
    name: 'report',
    from: 'man',
    asked: async (_, __, { u_id }) => ({ body: { u_id, reason: 'other', note: text } }),
  };

  it.each<Writer>([
    sendMessage,
    { ...sendMessage, about: 'other' },
    openChannel,
    { ...openChannel, about: 'other' },
    report,
    { ...report, about: 'other' },
    { name: 'setPayoutAccount', from: 'woman', asked: async () => ({ body: { ...payout, proof } }) },
    { name: 'setDepositLimit', from: 'man', asked: async () => ({ body: { limit: 500 } }) },
    {
      name: 'changeProfile',
      from: 'woman',
      async asked(world, woman) {
        const body = { mediaType: 'image/jpeg', bytes: Buffer.from(await aPhoto(), 'base64') };
        const { body: file } = await world.http('uploadMedia', { query: { for: 'profile' }, body }, woman.token);
        return { body: { photos: [(file as { media_id: string }).media_id] } };
      },
    },
    {
      name: 'rateCall',
      from: 'woman',
      async asked(world, woman, man) {
        const record = aRecord(man.u_id, woman.u_id);
        await new SqlStore(world.database).saveCalls([record]);
        return { params: { call_id: record.callId }, body: { stars: 1 } };
      },
    },
    {
      name: 'confirmContact',
      from: 'woman',
      async asked(world, woman) {
        const contact = 'new@example.com';
        await world.ask('changeContact', { body: { contact } }, woman.token);
        const code = (await world.letters(contact))[0]?.code;
        return { body: { contact, code, proof } };
      },
    },
  ])('is refused, and leaves no row: $name, $about', async ({ name, from, about, asked }) => {
    const world = await open('SQLite');
    const [man, woman] = [await world.register(aMan), await world.register(aWoman)];
    const [one, other] = from === 'man' ? [man, woman] : [woman, man];
    const request = await asked(world, one, other);
    const { accounts } = await world.product.opened();
    const { transact } = world.database;
    const closed = about ? other : one;
    vi.spyOn(world.database, 'transact').mockImplementationOnce(async (work) => {
      await accounts.close(closed.u_id);
      return transact(work);
    });
    const refused = about ? { status: 404, code: 'not_found' } : { status: 401, code: 'signed_out' };
    expect(await world.refusal(name, request, one.token)).toMatchObject(refused);
    const tables = await everyTable(world.database.db);
    // A code that was sent to a new contact goes when its time is over.
    tables.delete('ringback_codes');
    const named = [...tables].filter(([, rows]) => namesOf(rows, [closed.u_id, text]).length > 0);
    expect(named.map(([table]) => bare(table)).filter((table) => !MAY_NAME.includes(table))).toEqual([]);
  });
});

describe('the erasure of a long call history', () => {
  /** A user with 120 calls; `world.ask('deleteMe')` erases them. */
  async function withHistory() {
    const world = await open('SQLite');
    const woman = await world.register(aWoman);
    const store = new SqlStore(world.database);
    for (let at = 1; at <= 120; at += 1) {
      await store.saveCalls([aRecord('other', woman.u_id, { callId: `call-${at}`, createdAt: at })]);
    }
    return { world, woman };
  }

  it('lets the event loop turn between the parts of the history', async () => {
    const { world, woman } = await withHistory();
    const { db } = world.database;
    const left = new Set<number>();
    let isOver = false;
    const watch = async (): Promise<void> => {
      while (!isOver) {
        const rows = await db.selectFrom('ringback_parts').where('user_id', '=', woman.u_id).selectAll().execute();
        left.add(rows.length);
        await new Promise<void>((resolve) => void setImmediate(resolve));
      }
    };
    const watched = watch();
    await world.ask('deleteMe', { body: { password: aWoman.password } }, woman.token);
    isOver = true;
    await watched;
    expect([...left].filter((count) => count > 0 && count < 120)).not.toEqual([]);
    expect(await db.selectFrom('ringback_parts').where('user_id', '=', woman.u_id).selectAll().execute()).toEqual([]);
  });

  it('registers the user with the calling service again after a failure, because the account still exists', async () => {
    const { world, woman } = await withHistory();
    const { callers, gone } = world;
    await sql`create trigger no_erasure before delete on ringback_accounts begin select raise(abort, 'full'); end`.execute(
      world.database.db,
    );
    callers.length = 0;
    await expect(world.http('deleteMe', { body: { password: aWoman.password } }, woman.token)).rejects.toThrow('full');
    expect([gone, callers]).toEqual([[woman.u_id], [woman.u_id]]);
  });
});

describe('a redemption that is open at the deletion of the account', () => {
  it.each([
    ['pending', 'cancelled', { reviewing: 0, points: 100_000 }],
    ['reviewing', 'cancelled', { reviewing: 0, points: 100_000 }],
    ['approved', 'paid', { reviewing: 0, points: 0 }],
  ])('%s is %s', async (state, ended, left) => {
    const world = await open('SQLite');
    const woman = await world.register(aWoman);
    await money(world, woman, woman);
    const { db } = world.database;
    await db.updateTable('ringback_redemptions').set({ state }).execute();
    await world.ask('deleteMe', { body: { password: aWoman.password } }, woman.token);
    const row = await db.selectFrom('ringback_redemptions').selectAll().executeTakeFirstOrThrow();
    expect(row).toMatchObject({ state: ended, due_at: null, account_number: '', holder: '', bank_code: '' });
    const ledger = new Ledger(world.database);
    const balances = {
      reviewing: await ledger.balance(`reviewing:${woman.u_id}`),
      points: await ledger.balance(`points:${woman.u_id}`),
    };
    expect(balances).toEqual(left);
  });
});

describe('data that belongs to no account', () => {
  it('includes old calls, which are found by an index and deleted a hundred at a time', async () => {
    const world = await open('SQLite');
    const { db } = world.database;
    await world.register(aMan);
    const plan = await sql<{ detail: string }>`
      explain query plan select call_id from ringback_calls where ended_at < ${1}
    `.execute(db);
    expect(plan.rows.map(({ detail }) => detail).join()).toContain('ringback_calls_ended');
    const store = new SqlStore(world.database);
    const endedAt = world.clock.wallTime();
    for (let at = 1; at <= 150; at += 1) await store.saveCalls([aRecord('one', 'other', { callId: `${at}`, endedAt })]);
    world.clock.set(RETENTION_RULES.callsMs + DAY);
    world.clock.advance(DAY / 4);
    const left = new Set<number>();
    for (let turn = 0; turn < 1_000 && !left.has(0); turn += 1) {
      const count = (await db.selectFrom('ringback_calls').select('call_id').execute()).length;
      left.add(count);
      await new Promise<void>((resolve) => void setImmediate(resolve));
    }
    await world.product.settled();
    expect([...left]).toEqual(expect.arrayContaining([50, 0]));
    expect(await db.selectFrom('ringback_parts').selectAll().execute()).toEqual([]);
  });

  it('is deleted when it expires: calls with their details, stays in rooms and deleted rooms after a year, reports after two, codes and receipts within days', async () => {
    const world = await open('SQLite');
    const { db } = world.database;
    const other = await world.register(aMan);
    const woman = await world.register(aWoman);
    const now = world.clock.wallTime();
    const store = new SqlStore(world.database);
    const at = (endedAt: number) => store.saveCalls([aRecord(other.u_id, woman.u_id, { createdAt: endedAt, endedAt })]);
    await at(now - RETENTION_RULES.callsMs + HOUR);
    await at(now - RETENTION_RULES.callsMs + 2 * DAY);
    for (const [roomId, deletedAt] of [
      ['open', null],
      ['old', now - RETENTION_RULES.callsMs + HOUR],
      ['young', now],
    ] as const) {
      const room = {
        roomId,
        exchange: '',
        type: 'small_room_for_video',
        createdAt: 1,
        createdBy: 'one',
        sequence: 0,
      } as const;
      const stay = { participantId: roomId, roomId, userId: 'one', clientId: 'one', enteredAt: 1, duration: 1 };
      await store.rooms.save({ ...room, items: { items: {}, affectedAt: 1 }, participants: 0, deletedAt });
      await store.rooms.saveStay({ ...stay, exitedAt: deletedAt ?? now, reason: null });
    }
    await world.ask('report', { body: { u_id: woman.u_id, reason: 'other', note: '' } }, other.token);
    await world.codeFor('0912000111', 'register');
    const counts = async () => {
      const tables = [
        ...(['ringback_calls', 'ringback_parts', 'ringback_reports', 'ringback_codes'] as const),
        ...(['ringback_rooms', 'ringback_room_stays'] as const),
      ];
      return Promise.all(tables.map(async (table) => (await db.selectFrom(table).selectAll().execute()).length));
    };
    expect(await counts()).toEqual([2, 4, 1, 3, 3, 3]);
    world.clock.advance(1.5 * DAY);
    await world.product.settled();
    expect(await counts()).toEqual([1, 2, 1, 0, 2, 2]);
    world.clock.set(RETENTION_RULES.reportsMs);
    world.clock.advance(DAY);
    await world.product.settled();
    expect(await counts()).toEqual([0, 0, 0, 0, 1, 0]);
  });
});
