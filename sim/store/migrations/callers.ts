import { sql, type Kysely, type Migration } from 'kysely';
import { text } from './types.ts';

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
