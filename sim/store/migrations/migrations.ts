/** How the tables come about, step by step, the same for SQLite and PostgreSQL. A step that has been released never changes. */
import type { Migration } from 'kysely';
import { accountMigrations } from './accounts.ts';
import { callMigrations } from './calls.ts';
import { callerMigrations } from './callers.ts';
import { chatMigrations } from './chat.ts';
import { moneyMigrations } from './money.ts';
import { mediaMigrations } from './media.ts';
import { pushMigrations } from './push.ts';
import { peopleMigrations } from './people.ts';
import { pointMigrations } from './points.ts';

/** By name, in the order in which they are taken. */
export const MIGRATIONS: Readonly<Record<string, Migration>> = {
  ...callMigrations,
  ...accountMigrations,
  ...chatMigrations,
  ...moneyMigrations,
  ...mediaMigrations,
  ...pushMigrations,
  ...peopleMigrations,
  ...pointMigrations,
  // After the tables of calls and accounts, which it reads.
  ...callerMigrations,
};
