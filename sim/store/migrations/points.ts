import { type Kysely, type Migration, sql } from 'kysely';
import { text, time, whole } from './types.ts';

export const pointMigrations: Readonly<Record<string, Migration>> = {
  '0010-redemptions': {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable('ringback_payout_accounts')
        .addColumn('u_id', text, (column) => column.primaryKey())
        .addColumn('bank_code', text, (column) => column.notNull())
        .addColumn('account_number', text, (column) => column.notNull())
        .addColumn('holder', text, (column) => column.notNull())
        .addColumn('name_match', text, (column) => column.notNull())
        .addColumn('changed_at', time, (column) => column.notNull())
        .execute();
      await db.schema
        .createTable('ringback_redemptions')
        .addColumn('redemption_id', text, (column) => column.primaryKey())
        .addColumn('u_id', text, (column) => column.notNull())
        .addColumn('amount', whole, (column) => column.notNull())
        .addColumn('fee', whole, (column) => column.notNull())
        .addColumn('bank_code', text, (column) => column.notNull())
        .addColumn('account_number', text, (column) => column.notNull())
        .addColumn('holder', text, (column) => column.notNull())
        .addColumn('state', text, (column) => column.notNull())
        .addColumn('fault', text)
        .addColumn('created_at', time, (column) => column.notNull())
        .addColumn('reviewing_at', time)
        .addColumn('decided_at', time)
        .addColumn('ended_at', time)
        .addColumn('expected_at', time, (column) => column.notNull())
        .addColumn('due_at', time)
        .execute();
      await db.schema
        .createIndex('ringback_redemptions_of')
        .on('ringback_redemptions')
        .columns(['u_id', 'created_at', 'redemption_id'])
        .execute();
      // The database itself refuses a second open redemption of a user.
      await db.schema
        .createIndex('ringback_redemptions_open')
        .unique()
        .on('ringback_redemptions')
        .column('u_id')
        .where(sql<boolean>`due_at is not null`)
        .execute();
      await db.schema.createIndex('ringback_entries_times').on('ringback_entries').columns(['account', 'at']).execute();
    },
  },
};
