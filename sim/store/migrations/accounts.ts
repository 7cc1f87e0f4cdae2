import { randomUUID } from 'node:crypto';
import { type Kysely, type Migration, sql } from 'kysely';
import { flag, text, time, whole } from './types.ts';

export const accountMigrations: Readonly<Record<string, Migration>> = {
  '0004-accounts': {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable('ringback_accounts')
        .addColumn('u_id', text, (column) => column.primaryKey())
        .addColumn('gender_type', text, (column) => column.notNull())
        .addColumn('password_hash', text)
        .addColumn('is_demo', flag, (column) => column.notNull())
        .addColumn('joined_at', time, (column) => column.notNull())
        .execute();
      await db.schema
        .createTable('ringback_profiles')
        .addColumn('u_id', text, (column) => column.primaryKey())
        .addColumn('nickname', text, (column) => column.notNull())
        .addColumn('birthday', text, (column) => column.notNull())
        .addColumn('city', text, (column) => column.notNull())
        .addColumn('price', whole, (column) => column.notNull())
        .addColumn('accepts_video', flag, (column) => column.notNull())
        .addColumn('verified', flag, (column) => column.notNull())
        .execute();
      await db.schema
        .createTable('ringback_sign_ins')
        .addColumn('token_hash', text, (column) => column.primaryKey())
        .addColumn('u_id', text, (column) => column.notNull())
        .addColumn('expires_at', time, (column) => column.notNull())
        .execute();
      await db.schema.createIndex('ringback_sign_ins_of').on('ringback_sign_ins').column('u_id').execute();
      await db.schema.createIndex('ringback_sign_ins_old').on('ringback_sign_ins').column('expires_at').execute();
      await db.schema
        .createTable('ringback_secrets')
        .addColumn('name', text, (column) => column.primaryKey())
        .addColumn('value', text, (column) => column.notNull())
        .execute();
    },
  },
  '0008-registration': {
    async up(db: Kysely<unknown>) {
      await db.schema.alterTable('ringback_accounts').addColumn('terms_accepted_at', time).execute();
      await db.schema.alterTable('ringback_accounts').addColumn('suspended_at', time).execute();
      await sql`create index ringback_profiles_nickname on ringback_profiles (lower(nickname))`.execute(db);
      await db.schema
        .createTable('ringback_contacts')
        .addColumn('u_id', text, (column) => column.notNull())
        .addColumn('kind', text, (column) => column.notNull())
        .addColumn('value', text, (column) => column.notNull().unique())
        .addColumn('verified_at', time, (column) => column.notNull())
        .addPrimaryKeyConstraint('ringback_contacts_pk', ['u_id', 'kind'])
        .execute();
      await db.schema
        .createTable('ringback_codes')
        .addColumn('id', text, (column) => column.primaryKey())
        .addColumn('destination', text, (column) => column.notNull())
        .addColumn('purpose', text, (column) => column.notNull())
        .addColumn('code_hash', text, (column) => column.notNull())
        .addColumn('sent_at', time, (column) => column.notNull())
        .addColumn('expires_at', time, (column) => column.notNull())
        .addColumn('tries', whole, (column) => column.notNull())
        .execute();
      await db.schema
        .createIndex('ringback_codes_sent')
        .on('ringback_codes')
        .columns(['destination', 'sent_at'])
        .execute();
      await db.schema.createIndex('ringback_codes_old').on('ringback_codes').column('expires_at').execute();
      await db.schema
        .createTable('ringback_failed_logins')
        .addColumn('name_hash', text, (column) => column.primaryKey())
        .addColumn('failures', whole, (column) => column.notNull())
        .addColumn('failed_at', time, (column) => column.notNull())
        .addColumn('locked_until', time, (column) => column.notNull())
        .execute();
      await db.schema
        .createIndex('ringback_failed_logins_old')
        .on('ringback_failed_logins')
        .column('failed_at')
        .execute();
    },
  },
  '0008b-identity': {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable('ringback_identities')
        .addColumn('u_id', text, (column) => column.primaryKey())
        .addColumn('state', text, (column) => column.notNull())
        .addColumn('document_kind', text, (column) => column.notNull())
        .addColumn('note', text, (column) => column.notNull())
        .addColumn('submitted_at', time)
        .addColumn('decided_at', time)
        .addColumn('expires_at', time)
        .addColumn('reasons', text, (column) => column.notNull())
        .execute();
      await db.schema
        .createIndex('ringback_identities_due')
        .on('ringback_identities')
        .columns(['state', 'decided_at'])
        .execute();
      await db.schema
        .createTable('ringback_identity_pictures')
        .addColumn('u_id', text, (column) => column.notNull())
        .addColumn('step', text, (column) => column.notNull())
        .addColumn('picture', text, (column) => column.notNull())
        .addPrimaryKeyConstraint('ringback_identity_pictures_pk', ['u_id', 'step'])
        .execute();
      await db.schema
        .createTable('ringback_identity_tries')
        .addColumn('u_id', text, (column) => column.notNull())
        .addColumn('at', time, (column) => column.notNull())
        .addPrimaryKeyConstraint('ringback_identity_tries_pk', ['u_id', 'at'])
        .execute();
    },
  },
  '0011-calling-tokens': {
    async up(db: Kysely<unknown>) {
      // The calling token of an older session could not be revoked, so all users must sign in again.
      await sql`delete from ringback_sign_ins`.execute(db);
      await sql`alter table ringback_sign_ins add column calling_hash text not null default ''`.execute(db);
      await db.schema.createIndex('ringback_sign_ins_calling').on('ringback_sign_ins').column('calling_hash').execute();
    },
  },
  '0012-name-keys': {
    async up(db: Kysely<unknown>) {
      await sql`alter table ringback_profiles add column name_key text not null default ''`.execute(db);
      const { rows } = await sql<{ u_id: string; nickname: string }>`
        select u_id, nickname from ringback_profiles
      `.execute(db);
      for (const { u_id, nickname } of rows) {
        const key = nickname.normalize('NFKC').toLowerCase().normalize('NFKC');
        await sql`update ringback_profiles set name_key = ${key} where u_id = ${u_id}`.execute(db);
      }
      await sql`drop index ringback_profiles_nickname`.execute(db);
      await db.schema.createIndex('ringback_profiles_name_key').on('ringback_profiles').column('name_key').execute();
    },
  },
  '0014-sessions': {
    async up(db: Kysely<unknown>) {
      await sql`alter table ringback_sign_ins add column session_id text not null default ''`.execute(db);
      await sql`alter table ringback_sign_ins add column began_at bigint not null default 0`.execute(db);
      await sql`alter table ringback_sign_ins add column used_at bigint not null default 0`.execute(db);
      await sql`alter table ringback_sign_ins add column browser text`.execute(db);
      await sql`alter table ringback_sign_ins add column system text`.execute(db);
      const { rows } = await sql<{ token_hash: string }>`select token_hash from ringback_sign_ins`.execute(db);
      for (const { token_hash } of rows) {
        // Each session was opened for seven days. Its last use was not stored, so it counts from the start.
        await sql`
          update ringback_sign_ins
          set session_id = ${randomUUID()}, began_at = expires_at - 604800000, used_at = expires_at - 604800000
          where token_hash = ${token_hash}
        `.execute(db);
      }
    },
  },
  '0016-letters': {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable('ringback_letters')
        .addColumn('id', text, (column) => column.primaryKey())
        .addColumn('destination', text, (column) => column.notNull())
        .addColumn('about', text, (column) => column.notNull())
        .addColumn('kept_at', time, (column) => column.notNull())
        .addColumn('due_at', time, (column) => column.notNull())
        .execute();
      await db.schema.createIndex('ringback_letters_due').on('ringback_letters').column('due_at').execute();
    },
  },
  '0019-world': {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable('ringback_world')
        .addColumn('id', 'integer', (column) => column.primaryKey())
        .addColumn('is_demo', flag, (column) => column.notNull())
        .execute();
      // A database without accounts belongs to the kind of server that starts on it first.
      await sql`
        insert into ringback_world (id, is_demo)
        select 1, max(is_demo) from ringback_accounts having count(*) > 0
      `.execute(db);
    },
  },
  '0021-no-failed-logins': {
    async up(db: Kysely<unknown>) {
      // Wrong passwords are counted in memory, so that a guess costs no write.
      await db.schema.dropTable('ringback_failed_logins').execute();
    },
  },
};
