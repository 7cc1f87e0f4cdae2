import { dirname } from 'node:path';
import { isPostgresUrl } from '../sim/store/open-store.ts';
import { IN_MEMORY } from '../sim/store/database.ts';
import { CommandError } from './command-error.ts';
import { makeOutputFolder } from './scenarios/output-files.ts';

/**
 * Creates the missing folders of the SQLite file that `--database` names. The database of the environment is that of a
 * deployment, in which a missing folder is a missing disk.
 *
 * @throws CommandError (environment) when a folder cannot be created. The message names the option.
 */
export function makeDatabaseFolder(database: string | undefined): void {
  if (database === undefined || database === IN_MEMORY || isPostgresUrl(database)) return;
  try {
    makeOutputFolder(dirname(database));
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    throw new CommandError(`--database: ${error.message}`, error.exitCode, { cause: error });
  }
}
