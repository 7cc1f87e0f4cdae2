/** The migrations of the tables, the same for SQLite and PostgreSQL. A released migration never changes. */
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

/** The migrations by name, in the order in which they run. */
export const MIGRATIONS: Readonly<Record<string, Migration>> = {
  ...callMigrations,
  ...accountMigrations,
  ...chatMigrations,
  ...moneyMigrations,
  ...mediaMigrations,
  ...pushMigrations,
  ...peopleMigrations,
  ...pointMigrations,
  // After the tables of calls and accounts, which this reads.
  ...callerMigrations,
};
