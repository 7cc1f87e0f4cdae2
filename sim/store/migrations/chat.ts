import type { Kysely, Migration } from 'kysely';
import { flag, text, time, whole } from './types.ts';

export const chatMigrations: Readonly<Record<string, Migration>> = {
  '0006-chat': {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable('ringback_channels')
        .addColumn('channel_url', text, (column) => column.primaryKey())
        .addColumn('pair', text, (column) => column.notNull().unique())
        .addColumn('last_seq', whole, (column) => column.notNull())
        .addColumn('created_at', time, (column) => column.notNull())
        .execute();
      await db.schema
        .createTable('ringback_members')
        .addColumn('channel_url', text, (column) => column.notNull())
        .addColumn('u_id', text, (column) => column.notNull())
        .addColumn('companion', text, (column) => column.notNull())
        .addColumn('pinned', flag, (column) => column.notNull())
        .addColumn('muted', flag, (column) => column.notNull())
        .addColumn('unread', whole, (column) => column.notNull())
        .addColumn('sent', whole, (column) => column.notNull())
        .addColumn('last_seq', whole, (column) => column.notNull())
        .addColumn('last_at', time, (column) => column.notNull())
        .addColumn('read_seq', whole, (column) => column.notNull())
        .addColumn('delivered_seq', whole, (column) => column.notNull())
        .addColumn('cleared_seq', whole, (column) => column.notNull())
        .addPrimaryKeyConstraint('ringback_members_pk', ['channel_url', 'u_id'])
        .execute();
      await db.schema
        .createIndex('ringback_members_list')
        .on('ringback_members')
        .columns(['u_id', 'pinned', 'last_at', 'channel_url'])
        .execute();
      await db.schema
        .createIndex('ringback_members_unread')
        .on('ringback_members')
        .columns(['u_id', 'unread'])
        .execute();
      await db.schema
        .createTable('ringback_messages')
        .addColumn('channel_url', text, (column) => column.notNull())
        .addColumn('seq', whole, (column) => column.notNull())
        .addColumn('sender', text, (column) => column.notNull())
        .addColumn('client_id', text)
        .addColumn('type', text, (column) => column.notNull())
        .addColumn('data', text, (column) => column.notNull())
        .addColumn('at', time, (column) => column.notNull())
        .addPrimaryKeyConstraint('ringback_messages_pk', ['channel_url', 'seq'])
        .execute();
      await db.schema
        .createIndex('ringback_messages_sent')
        .on('ringback_messages')
        .columns(['sender', 'client_id'])
        .unique()
        .execute();
    },
  },
  '0030-messages-with-ids': {
    async up(db: Kysely<unknown>) {
      await db.schema.dropIndex('ringback_messages_sent').execute();
      // Most messages are notes of calls, which have no client id.
      await db.schema
        .createIndex('ringback_messages_sent')
        .on('ringback_messages')
        .columns(['sender', 'client_id'])
        .unique()
        .where('client_id', 'is not', null)
        .execute();
    },
  },
};
