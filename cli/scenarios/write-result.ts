import { writeFileSync } from 'node:fs';
import { CommandError } from '../command-error.ts';
import { EXIT } from '../exit-codes.ts';

/**
 * Writes an output file of a command.
 *
 * @throws CommandError (environment) with the path, when the file cannot be written.
 */
export function writeResult(file: string, made: string | Buffer): void {
  try {
    writeFileSync(file, made);
  } catch (error) {
    const why = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    throw new CommandError(`Nothing can be written to ${file} (${why}).`, EXIT.environment);
  }
}
