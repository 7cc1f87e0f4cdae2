import { PostgresAdapter, sql, type Kysely, type Migration } from 'kysely';
import { flag, text, time, whole } from './types.ts';

export const moneyMigrations: Readonly<Record<string, Migration>> = {
  '0007-ledger': {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable('ringback_transfers')
        .addColumn('key', text, (column) => column.primaryKey())
        .addColumn('kind', text, (column) => column.notNull())
        .addColumn('at', time, (column) => column.notNull())
        .addColumn('ref', text, (column) => column.notNull())
        .execute();
      await db.schema
        .createTable('ringback_entries')
        .addColumn('transfer', text, (column) => column.notNull())
        .addColumn('line', 'integer', (column) => column.notNull())
        .addColumn('account', text, (column) => column.notNull())
        .addColumn('delta', whole, (column) => column.notNull())
        .addColumn('purse', text)
        .addColumn('seq', whole)
        .addColumn('purse_after', whole)
        .addColumn('kind', text, (column) => column.notNull())
        .addColumn('at', time, (column) => column.notNull())
        .addPrimaryKeyConstraint('ringback_entries_pk', ['transfer', 'line'])
        .addForeignKeyConstraint('ringback_entries_of', ['transfer'], 'ringback_transfers', ['key'])
        .execute();
      await db.schema
        .createIndex('ringback_entries_history')
        .unique()
        .on('ringback_entries')
        .columns(['purse', 'seq'])
        .execute();
      await db.schema
        .createIndex('ringback_entries_kinds')
        .on('ringback_entries')
        .columns(['purse', 'kind', 'seq'])
        .execute();
      await db.schema.createIndex('ringback_entries_accounts').on('ringback_entries').column('account').execute();
      await db.schema
        .createTable('ringback_balances')
        .addColumn('account', text, (column) => column.primaryKey())
        .addColumn('balance', whole, (column) => column.notNull())
        .addCheckConstraint('ringback_balances_whole', sql`balance >= 0`)
        .execute();
      await db.schema
        .createTable('ringback_purses')
        .addColumn('purse', text, (column) => column.primaryKey())
        .addColumn('total', whole, (column) => column.notNull())
        .addColumn('seq', whole, (column) => column.notNull())
        .execute();
      await db.schema
        .createTable('ringback_receipts')
        .addColumn('u_id', text, (column) => column.notNull())
        .addColumn('request', text, (column) => column.notNull())
        .addColumn('key', text, (column) => column.notNull())
        .addColumn('body_hash', text, (column) => column.notNull())
        .addColumn('answer', text, (column) => column.notNull())
        .addColumn('at', time, (column) => column.notNull())
        .addPrimaryKeyConstraint('ringback_receipts_pk', ['u_id', 'request', 'key'])
        .execute();
      await db.schema.createIndex('ringback_receipts_old').on('ringback_receipts').column('at').execute();
      for (const table of ['ringback_transfers', 'ringback_entries']) await appendOnly(db, table);
    },
  },
  '0007b-charges': {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable('ringback_settlements')
        .addColumn('transfer', text, (column) => column.primaryKey())
        .addColumn('u_id', text, (column) => column.notNull())
        .addColumn('points', whole, (column) => column.notNull())
        .addColumn('due_at', time, (column) => column.notNull())
        .execute();
      await db.schema
        .createIndex('ringback_settlements_due')
        .on('ringback_settlements')
        .columns(['u_id', 'due_at'])
        .execute();
      await db.schema
        .createTable('ringback_volumes')
        .addColumn('u_id', text, (column) => column.notNull())
        .addColumn('day', 'integer', (column) => column.notNull())
        .addColumn('coins', whole, (column) => column.notNull())
        .addPrimaryKeyConstraint('ringback_volumes_pk', ['u_id', 'day'])
        .execute();
      await db.schema
        .createTable('ringback_charge_sessions')
        .addColumn('session_id', text, (column) => column.primaryKey())
        .addColumn('man', text, (column) => column.notNull())
        .addColumn('woman', text, (column) => column.notNull())
        .addColumn('kind', text, (column) => column.notNull())
        .addColumn('rate', whole)
        .addColumn('count', whole, (column) => column.notNull())
        .addColumn('coins', whole, (column) => column.notNull())
        .addColumn('points', whole, (column) => column.notNull())
        .addColumn('started_at', time, (column) => column.notNull())
        .addColumn('duration', time)
        .addColumn('end_result', text)
        .addColumn('is_open', flag, (column) => column.notNull())
        .addColumn('touched_at', time, (column) => column.notNull())
        .execute();
      for (const who of ['man', 'woman']) {
        await db.schema
          .createIndex(`ringback_charge_sessions_${who}`)
          .on('ringback_charge_sessions')
          .columns([who, 'started_at', 'session_id'])
          .execute();
      }
      await db.schema
        .createIndex('ringback_charge_sessions_open')
        .on('ringback_charge_sessions')
        .columns(['is_open', 'touched_at'])
        .execute();
    },
  },
  '0007c-deposits': {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable('ringback_deposits')
        .addColumn('deposit_id', text, (column) => column.primaryKey())
        .addColumn('u_id', text, (column) => column.notNull())
        .addColumn('order_no', text, (column) => column.notNull().unique())
        .addColumn('pack_id', text, (column) => column.notNull())
        .addColumn('price', whole, (column) => column.notNull())
        .addColumn('coins', whole, (column) => column.notNull())
        .addColumn('bonus', whole, (column) => column.notNull())
        .addColumn('method', text, (column) => column.notNull())
        .addColumn('status', text, (column) => column.notNull())
        .addColumn('failure', text)
        .addColumn('pay_code', text)
        .addColumn('invoice', text)
        .addColumn('created_at', time, (column) => column.notNull())
        .addColumn('expires_at', time, (column) => column.notNull())
        .addColumn('settled_at', time)
        .execute();
      await db.schema
        .createIndex('ringback_deposits_of')
        .on('ringback_deposits')
        .columns(['u_id', 'created_at', 'deposit_id'])
        .execute();
      await db.schema
        .createTable('ringback_deposit_limits')
        .addColumn('u_id', text, (column) => column.primaryKey())
        .addColumn('limit_now', whole, (column) => column.notNull())
        .addColumn('limit_next', whole)
        .addColumn('next_at', time)
        .execute();
    },
  },
  '0017-gift-counts': {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable('ringback_gift_counts')
        .addColumn('u_id', text, (column) => column.notNull())
        .addColumn('gift_id', text, (column) => column.notNull())
        .addColumn('count', whole, (column) => column.notNull())
        .addPrimaryKeyConstraint('ringback_gift_counts_pk', ['u_id', 'gift_id'])
        .execute();
      // The books have every gift that was given before gifts were counted.
      const ref = isPostgres(db) ? sql`cast(ref as json)` : sql`ref`;
      await sql`
        insert into ringback_gift_counts (u_id, gift_id, count)
        select ${ref} ->> 'woman', ${ref} ->> 'gift', sum(cast(${ref} ->> 'count' as bigint))
        from ringback_transfers
        where kind = 'gift' and ${ref} ->> 'woman' in (select u_id from ringback_accounts)
        group by 1, 2`.execute(db);
    },
  },
  '0018b-meters': {
    async up(db: Kysely<unknown>) {
      // SQLite adds one column for each statement.
      for (const column of ['meter_before', 'meter_since', 'meter_held_at']) {
        await db.schema.alterTable('ringback_charge_sessions').addColumn(column, time).execute();
      }
    },
  },
  '0022-reservations': {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable('ringback_reservations')
        .addColumn('man', text, (column) => column.primaryKey())
        .addColumn('call_id', text, (column) => column.notNull().unique())
        .addColumn('woman', text, (column) => column.notNull())
        .addColumn('kind', text, (column) => column.notNull())
        .addColumn('rate', whole, (column) => column.notNull())
        .addColumn('at', time, (column) => column.notNull())
        .execute();
      await db.schema.alterTable('ringback_charge_sessions').addColumn('unpaid_since', time).execute();
      await db.schema.alterTable('ringback_charge_sessions').addColumn('was_given_back', flag).execute();
      // A meter now counts from the beginning of its call.
      await sql`
        update ringback_charge_sessions
        set meter_since = meter_since - started_at, meter_held_at = meter_held_at - started_at
        where meter_since is not null`.execute(db);
    },
  },
  '0022b-bought-coins': {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable('ringback_bought_coins')
        .addColumn('u_id', text, (column) => column.primaryKey())
        .addColumn('coins', whole, (column) => column.notNull())
        .addCheckConstraint('ringback_bought_coins_whole', sql`coins >= 0`)
        .execute();
      // Computes the balance as if bought coins had always been spent first.
      await sql`
        insert into ringback_bought_coins (u_id, coins)
        select substr(purse, length('coins:') + 1), sum(delta)
        from ringback_entries
        where purse like 'coins:%' and kind in ('deposit', 'gift', 'voice', 'video', 'message', 'refund')
        group by purse
        having sum(delta) > 0`.execute(db);
    },
  },
  '0028-owners-of-charges': {
    async up(db: Kysely<unknown>) {
      await db.schema.alterTable('ringback_charge_sessions').addColumn('owner', text).execute();
    },
  },
  '0029-holds': {
    async up(db: Kysely<unknown>) {
      await db.schema
        .alterTable('ringback_reservations')
        .addColumn('is_held', flag, (column) => column.notNull().defaultTo(0))
        .execute();
      const isHeld = (callId: string) => sql`
        exists (select 1 from ringback_transfers where key = 'call:' || ${sql.ref(callId)} || ':hold')
        and not exists (select 1 from ringback_transfers where key = 'call:' || ${sql.ref(callId)} || ':release')`;
      await sql`update ringback_reservations set is_held = 1 where ${isHeld('call_id')}`.execute(db);
      // A call that had no reservation at its dial gets the one that holds its coins now.
      await sql`
        insert into ringback_reservations (man, call_id, woman, kind, rate, at, is_held)
        select man, session_id, woman, kind, rate, started_at, 1
        from ringback_charge_sessions
        where is_open = 1 and kind <> 'message' and ${isHeld('session_id')}
        on conflict do nothing`.execute(db);
      // A man with another reservation gets the coins of such a call back.
      const left = await sql<{ man: string; rate: number }>`
        select man, rate
        from ringback_charge_sessions as page
        where is_open = 1 and kind <> 'message' and ${isHeld('session_id')}
          and not exists (select 1 from ringback_reservations where call_id = page.session_id)`.execute(db);
      for (const { man, rate } of left.rows) {
        await sql`update ringback_balances set balance = balance + ${rate} where account = ${`coins:${man}`}`.execute(
          db,
        );
        await sql`update ringback_balances set balance = balance - ${rate} where account = ${`held:${man}`}`.execute(
          db,
        );
      }
    },
  },
};

const isPostgres = (db: Kysely<unknown>): boolean => db.getExecutor().adapter instanceof PostgresAdapter;

/** Makes a table append-only in the database itself, so that a wrong program cannot change the books. */
async function appendOnly(db: Kysely<unknown>, table: string): Promise<void> {
  if (!isPostgres(db)) {
    for (const change of ['update', 'delete']) {
      await sql`create trigger ${sql.id(`${table}_no_${change}`)} before ${sql.raw(change)} on ${sql.id(table)}
        begin select raise(abort, 'the ledger is append-only'); end`.execute(db);
    }
    return;
  }
  const refuse = `${table}_refuse`;
  await sql`create function ${sql.id(refuse)}() returns trigger language plpgsql as
    $$ begin raise exception 'the ledger is append-only'; end $$`.execute(db);
  await sql`create trigger ${sql.id(`${table}_append_only`)} before update or delete or truncate on ${sql.id(table)}
    for each statement execute function ${sql.id(refuse)}()`.execute(db);
}
