/** Warnings about secrets on a command line, which every user of the machine can read (`ps`). */
import { processOutput } from './process-output.ts';

/** Reads the access token from the option, with a warning, or from the environment. */
export function accessTokenOf(option: string | undefined): string | undefined {
  if (option === undefined) return process.env['RINGBACK_TOKEN'] || undefined;
  processOutput.err.write('Warning: other users of this machine can read --token: set RINGBACK_TOKEN instead.\n');
  return option;
}

/** Prints a warning when the url of a database has a password. */
export function warnOfPassword(database: string): void {
  if (!URL.canParse(database) || new URL(database).password === '') return;
  processOutput.err.write(
    'Warning: other users of this machine can read the password in --database: set PGPASSWORD instead.\n',
  );
}
