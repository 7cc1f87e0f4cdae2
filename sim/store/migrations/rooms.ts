import { sql, type Kysely, type Migration } from 'kysely';
import { text, time } from './types.ts';

export const roomMigrations: Readonly<Record<string, Migration>> = {
  '0026-rooms': {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable('ringback_rooms')
        .addColumn('room_id', text, (column) => column.primaryKey())
        .addColumn('room_type', text, (column) => column.notNull())
        .addColumn('created_at', time, (column) => column.notNull())
        .addColumn('created_by', text, (column) => column.notNull())
        .addColumn('custom_items', text, (column) => column.notNull())
        .addColumn('items_affected_at', time, (column) => column.notNull())
        .addColumn('sequence', time, (column) => column.notNull())
        .addColumn('participants', 'integer', (column) => column.notNull())
        .addColumn('deleted_at', time)
        .execute();
      await db.schema
        .createIndex('ringback_rooms_newest')
        .on('ringback_rooms')
        .columns(['created_at', 'room_id'])
        .execute();
      await db.schema
        .createIndex('ringback_rooms_creators')
        .on('ringback_rooms')
        .columns(['created_by', 'deleted_at'])
        .execute();
      await db.schema
        .createTable('ringback_room_stays')
        .addColumn('participant_id', text, (column) => column.primaryKey())
        .addColumn('room_id', text, (column) => column.notNull())
        .addColumn('user_id', text, (column) => column.notNull())
        .addColumn('client_id', text, (column) => column.notNull())
        .addColumn('entered_at', time, (column) => column.notNull())
        .addColumn('exited_at', time, (column) => column.notNull())
        .addColumn('duration', time, (column) => column.notNull())
        .addColumn('reason', text)
        .execute();
      // Retention finds deleted rooms and old stays, and the erasure of an account its stays.
      await db.schema.createIndex('ringback_rooms_deleted').on('ringback_rooms').column('deleted_at').execute();
      await db.schema.createIndex('ringback_room_stays_ends').on('ringback_room_stays').column('exited_at').execute();
      await db.schema.createIndex('ringback_room_stays_users').on('ringback_room_stays').column('user_id').execute();
      await db.schema
        .createIndex('ringback_room_stays_rooms')
        .on('ringback_room_stays')
        .columns(['room_id', 'entered_at'])
        .execute();
    },
  },
  '0027-exchanges-of-rooms': {
    async up(db: Kysely<unknown>) {
      await db.schema
        .alterTable('ringback_rooms')
        .addColumn('exchange', text, (column) => column.notNull().defaultTo(''))
        .execute();
      // No exchange runs during a migration.
      await sql`update ringback_rooms set participants = 0`.execute(db);
    },
  },
};
