/** The users of a run: pairs of a caller and a callee. */
import { readFileSync } from 'node:fs';
import { CommandError } from '../command-error.ts';
import { EXIT } from '../exit-codes.ts';

export interface LoadUser {
  readonly userId: string;
  readonly token?: string;
}

/** Returns the users `prefix-1` to `prefix-count`. */
export const numberedUsers = (prefix: string, count: number): LoadUser[] =>
  Array.from({ length: count }, (_, at) => ({ userId: `${prefix}-${at + 1}` }));

/**
 * Reads a file of users: a user id in each line, and after a comma the access token of the user.
 *
 * @throws CommandError when the file cannot be read or a line is wrong. The message never has a token.
 */
export function readUsers(file: string): LoadUser[] {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    throw new CommandError(`The users cannot be read from ${file} (${code}).`, EXIT.usage);
  }
  return text.split('\n').flatMap((line, at) => {
    if (line.trim() === '') return [];
    const [userId = '', token, ...more] = line.split(',').map((word) => word.trim());
    if (userId === '' || more.length > 0) {
      throw new CommandError(`Line ${at + 1} of ${file} is not "user id" or "user id,access token".`, EXIT.usage);
    }
    return [token ? { userId, token } : { userId }];
  });
}
