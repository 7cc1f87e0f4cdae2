import { Option } from 'commander';
import { IN_MEMORY } from '../../sim/store/in-memory.ts';
import { parseDatabase } from '../arguments/values.ts';

/** `--database`, of every command that starts an exchange. It is read from nowhere else: no database is written by surprise. */
export const databaseOption = (): Option =>
  new Option(
    '--database <path-or-url>',
    'where calls are kept, those that go on and those that ended: a SQLite file, or a PostgreSQL url, best without its password (set PGPASSWORD)',
  )
    .argParser(parseDatabase)
    .default(IN_MEMORY, 'in memory, gone at the end');
