import { type Kysely, type Migration, sql } from 'kysely';
import { text, time } from './types.ts';

export const peopleMigrations: Readonly<Record<string, Migration>> = {
  '0005b-people': {
    async up(db: Kysely<unknown>) {
      const added = [
        sql`intro text not null default ''`,
        sql`height integer`,
        sql`job text not null default ''`,
        sql`languages text not null default '[]'`,
        sql`tags text not null default '[]'`,
        sql`voice_intro text`,
        sql`voice_price bigint not null default 20`,
        sql`accepts_voice integer not null default 1`,
        sql`resting integer not null default 0`,
        sql`quiet_from integer`,
        sql`quiet_to integer`,
        sql`flagged_at bigint`,
      ];
      // SQLite adds one column for each statement.
      for (const column of added) await sql`alter table ringback_profiles add column ${column}`.execute(db);
      await db.schema
        .createTable('ringback_profile_photos')
        .addColumn('u_id', text, (column) => column.notNull())
        .addColumn('place', 'integer', (column) => column.notNull())
        .addColumn('media_id', text, (column) => column.notNull())
        .addPrimaryKeyConstraint('ringback_profile_photos_pk', ['u_id', 'place'])
        .execute();
      for (const table of ['ringback_favorites', 'ringback_blocks', 'ringback_watches']) {
        await db.schema
          .createTable(table)
          .addColumn('u_id', text, (column) => column.notNull())
          .addColumn('other', text, (column) => column.notNull())
          .addColumn('at', time, (column) => column.notNull())
          .addPrimaryKeyConstraint(`${table}_pk`, ['u_id', 'other'])
          .execute();
        await db.schema.createIndex(`${table}_by_time`).on(table).columns(['u_id', 'at']).execute();
        await db.schema.createIndex(`${table}_of_other`).on(table).column('other').execute();
      }
      await db.schema
        .createTable('ringback_reports')
        .addColumn('report_id', text, (column) => column.primaryKey())
        .addColumn('u_id', text, (column) => column.notNull())
        .addColumn('other', text, (column) => column.notNull())
        .addColumn('reason', text, (column) => column.notNull())
        .addColumn('note', text, (column) => column.notNull())
        .addColumn('at', time, (column) => column.notNull())
        .execute();
      await db.schema.createIndex('ringback_reports_of').on('ringback_reports').columns(['other', 'at']).execute();
      await db.schema
        .createIndex('ringback_accounts_by_time')
        .on('ringback_accounts')
        .columns(['gender_type', 'joined_at', 'u_id'])
        .execute();
    },
  },
  '0012-call-ratings': {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable('ringback_call_ratings')
        .addColumn('call_id', text, (column) => column.notNull())
        .addColumn('u_id', text, (column) => column.notNull())
        .addColumn('stars', 'integer', (column) => column.notNull())
        .addColumn('at', time, (column) => column.notNull())
        .addPrimaryKeyConstraint('ringback_call_ratings_pk', ['call_id', 'u_id'])
        .execute();
      await db.schema.createIndex('ringback_call_ratings_of').on('ringback_call_ratings').column('u_id').execute();
    },
  },
};
