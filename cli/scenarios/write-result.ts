import { writeFileSync } from 'node:fs';
import { CommandError } from '../command-error.ts';
import { EXIT } from '../exit-codes.ts';

/**
 * Writes a file that a command makes.
 *
 * @throws CommandError (environment) with its path, where that cannot be.
 */
export function writeResult(file: string, made: string | Buffer): void {
  try {
    writeFileSync(file, made);
  } catch (error) {
    const why = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    throw new CommandError(`Nothing can be written to ${file} (${why}).`, EXIT.environment);
  }
}
