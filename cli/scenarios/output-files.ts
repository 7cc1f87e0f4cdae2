import { accessSync, constants, existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { CommandError } from '../command-error.ts';
import { EXIT } from '../exit-codes.ts';

/**
 * Creates an output folder, and its parents.
 *
 * @throws CommandError (environment) with the path that prevents it.
 */
export function makeOutputFolder(folder: string): void {
  const missing: string[] = [];
  let path = resolve(folder);
  for (; !existsSync(path); path = dirname(path)) missing.unshift(path);
  if (!statSync(path).isDirectory()) throw cannotWrite(folder, `${path} is not a folder`);
  // One by one, because a recursive mkdir below /proc never returns in Node.
  for (const one of missing) {
    try {
      mkdirSync(one);
    } catch (error) {
      throw cannotWrite(folder, `${one} cannot be created (${codeOf(error)})`);
    }
  }
}

/**
 * Checks that a file can be written, before the command does the work whose result it is.
 *
 * @throws CommandError (environment) with the folder, when it is missing or not writable.
 */
export function checkFolderOf(file: string): void {
  try {
    accessSync(dirname(resolve(file)), constants.W_OK);
  } catch (error) {
    throw new CommandError(`Nothing can be written to ${file} (${codeOf(error)}).`, EXIT.environment);
  }
}

const cannotWrite = (folder: string, why: string): CommandError =>
  new CommandError(`Nothing can be written to ${folder}: ${why}.`, EXIT.environment);

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : String(error);

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
