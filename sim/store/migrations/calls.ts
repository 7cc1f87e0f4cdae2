import { type Kysely, type Migration, sql } from 'kysely';
import { flag, text, time } from './types.ts';

export const callMigrations: Readonly<Record<string, Migration>> = {
  '0001-calls': {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable('ringback_calls')
        .addColumn('call_id', text, (column) => column.primaryKey())
        .addColumn('is_video_call', 'integer', (column) => column.notNull())
        .addColumn('participants', text, (column) => column.notNull())
        .addColumn('created_at', time, (column) => column.notNull())
        .addColumn('started_at', time)
        .addColumn('ended_at', time, (column) => column.notNull())
        .addColumn('ended_by', text)
        .addColumn('duration', time, (column) => column.notNull())
        .addColumn('end_result', text, (column) => column.notNull())
        .addColumn('custom_items', text, (column) => column.notNull())
        .addColumn('items_affected_at', time, (column) => column.notNull())
        .execute();
      await db.schema
        .createTable('ringback_parts')
        .addColumn('call_id', text, (column) => column.notNull())
        .addColumn('user_id', text, (column) => column.notNull())
        .addColumn('role', text, (column) => column.notNull())
        .addColumn('created_at', time, (column) => column.notNull())
        .addPrimaryKeyConstraint('ringback_parts_pk', ['call_id', 'user_id'])
        .execute();
      await db.schema
        .createIndex('ringback_history')
        .on('ringback_parts')
        .columns(['user_id', 'created_at', 'call_id'])
        .execute();
    },
  },
  '0002-push-tokens': {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable('ringback_push_tokens')
        .addColumn('user_id', text, (column) => column.notNull())
        .addColumn('token_type', text, (column) => column.notNull())
        .addColumn('token_hash', text, (column) => column.notNull())
        .addColumn('token', text, (column) => column.notNull())
        .addPrimaryKeyConstraint('ringback_push_tokens_pk', ['user_id', 'token_type', 'token_hash'])
        .execute();
      await db.schema
        .createIndex('ringback_push_tokens_owners')
        .on('ringback_push_tokens')
        .columns(['token_hash', 'token_type'])
        .execute();
    },
  },
  '0003-summaries': {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable('ringback_summaries')
        .addColumn('call_id', text, (column) => column.notNull())
        .addColumn('user_id', text, (column) => column.notNull())
        .addColumn('client_id', text, (column) => column.notNull())
        .addColumn('summary', text, (column) => column.notNull())
        .addPrimaryKeyConstraint('ringback_summaries_pk', ['call_id', 'user_id', 'client_id'])
        .execute();
    },
  },
  '0018-live-calls': {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable('ringback_exchanges')
        .addColumn('name', text, (column) => column.primaryKey())
        .addColumn('epoch', 'integer', (column) => column.notNull())
        .addColumn('seen_at', time, (column) => column.notNull())
        .addColumn('seen_clock', time, (column) => column.notNull())
        .addColumn('has_left', flag, (column) => column.notNull())
        .execute();
      await db.schema
        .createTable('ringback_live_calls')
        .addColumn('call_id', text, (column) => column.primaryKey())
        .addColumn('exchange', text, (column) => column.notNull())
        .addColumn('body', text, (column) => column.notNull())
        .execute();
      await db.schema.createIndex('ringback_live_calls_of').on('ringback_live_calls').column('exchange').execute();
      await db.schema
        .createTable('ringback_live_signals')
        .addColumn('call_id', text, (column) => column.notNull())
        .addColumn('side', text, (column) => column.notNull())
        .addColumn('client_id', text, (column) => column.notNull())
        .addColumn('sequence', 'integer', (column) => column.notNull())
        .addColumn('frame', text, (column) => column.notNull())
        .addPrimaryKeyConstraint('ringback_live_signals_pk', ['call_id', 'side', 'client_id', 'sequence'])
        .execute();
    },
  },
  '0025-ends-of-calls': {
    async up(db: Kysely<unknown>) {
      await db.schema.createIndex('ringback_calls_ended').on('ringback_calls').column('ended_at').execute();
    },
  },
};

export const callerMigrations: Readonly<Record<string, Migration>> = {
  '0024-callers': {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable('ringback_callers')
        .addColumn('user_id', text, (column) => column.primaryKey())
        .execute();
      // Users of an older database: a user with a call or an own account has used the calling service.
      await sql`insert into ringback_callers (user_id)
        select user_id from ringback_parts
        union select user_id from ringback_push_tokens
        union select u_id from ringback_accounts where is_demo = 0`.execute(db);
    },
  },
};
