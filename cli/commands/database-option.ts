import { Option } from 'commander';
import { IN_MEMORY } from '../../sim/store/in-memory.ts';
import { parseDatabase } from '../arguments/values.ts';

/**
 * Creates `--database`, for each command that starts an exchange. No environment variable sets it, so no database is
 * written by surprise.
 */
export const databaseOption = (): Option =>
  new Option(
    '--database <path-or-url>',
    'where live and ended calls are stored: a SQLite file, or a PostgreSQL url without its password (set PGPASSWORD)',
  )
    .argParser(parseDatabase)
    .default(IN_MEMORY, 'in memory, lost when the command ends');
