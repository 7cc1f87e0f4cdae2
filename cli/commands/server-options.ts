/** The options of the commands that start an exchange: its database, its log and its scripts. */
import { parseDatabase } from '../arguments/values.ts';
import { Option, type Command } from 'commander';
import { DEFAULT_LOG_LEVEL, LOG_LEVELS } from '../../sim/server/defaults.ts';

/** Creates `--database`, for each command that starts an exchange. Without it, `DATABASE_URL` names the database. */
export const databaseOption = (): Option =>
  new Option(
    '--database <path-or-url>',
    'where live and ended calls are stored: a SQLite file, a PostgreSQL url without its password (set PGPASSWORD), or :memory:; by default DATABASE_URL, and without it in memory',
  ).argParser(parseDatabase);

/** Creates `--log-level`, for each command that starts an exchange. */
export const logLevelOption = (): Option =>
  new Option('--log-level <level>', 'the lowest level that is logged, as one JSON object a line on standard error')
    .choices(LOG_LEVELS)
    .default(DEFAULT_LOG_LEVEL);

export interface ScriptCommandOptions {
  /** True without files, false for none. Undefined without the option. */
  readonly scripts?: boolean | readonly string[];
  readonly script?: string;
}

export function addScriptOptions(command: Command): Command {
  return command
    .option('--script <script>', 'the script for clients that choose none, like accept or busy,who=bob')
    .option(
      '--scripts [files...]',
      'let clients choose scripts, also those of these files; on loopback this is the default',
    )
    .option('--no-scripts', 'refuse scripts that clients choose');
}
