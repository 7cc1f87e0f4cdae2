import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { CommandError } from '../command-error.ts';
import { EXIT } from '../exit-codes.ts';

/**
 * Makes a folder that is to be written to, and those above it.
 *
 * @throws CommandError (environment) with the path that stands in the way.
 */
export function makeOutputFolder(folder: string): void {
  const missing: string[] = [];
  let path = resolve(folder);
  for (; !existsSync(path); path = dirname(path)) missing.unshift(path);
  if (!statSync(path).isDirectory()) throw cannotWrite(folder, `${path} is no folder`);
  // One by one: made all at once, a folder below /proc keeps Node trying for ever.
  for (const one of missing) {
    try {
      mkdirSync(one);
    } catch (error) {
      throw cannotWrite(folder, `${one} cannot be made (${codeOf(error)})`);
    }
  }
}

const cannotWrite = (folder: string, why: string): CommandError =>
  new CommandError(`Nothing can be written to ${folder}: ${why}.`, EXIT.environment);

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : String(error);
