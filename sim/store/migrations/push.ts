import { type Kysely, type Migration, sql } from 'kysely';
import { text, time } from './types.ts';

export const pushMigrations: Readonly<Record<string, Migration>> = {
  '0005-devices': {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable('ringback_devices')
        .addColumn('token_hash', text, (column) => column.primaryKey())
        .addColumn('u_id', text, (column) => column.notNull())
        .addColumn('token', text, (column) => column.notNull())
        .addColumn('saved_at', time, (column) => column.notNull())
        .addColumn('alive_on', text)
        .execute();
      await db.schema.createIndex('ringback_devices_of').on('ringback_devices').columns(['u_id', 'saved_at']).execute();
    },
  },
  '0013-device-sessions': {
    async up(db: Kysely<unknown>) {
      await sql`alter table ringback_devices add column session_hash text not null default ''`.execute(db);
      await db.schema.createIndex('ringback_devices_session').on('ringback_devices').column('session_hash').execute();
    },
  },
  // The session of these devices is unknown, so they could get messages after it has ended. Each device registers
  // again.
  '0015-devices-of-no-session': {
    async up(db: Kysely<unknown>) {
      await sql`delete from ringback_devices where session_hash = ''`.execute(db);
    },
  },
};
