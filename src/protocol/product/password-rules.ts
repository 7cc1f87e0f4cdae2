/**
 * The rules for passwords: long ones, and none that are commonly tried first. There is no rule about kinds of
 * characters.
 */

const PASSWORD_LEAST = 8;
const PASSWORD_MOST = 128;

/** The reason why a password is refused. */
export type PasswordFault = 'short' | 'long' | 'common';

/** The beginnings of common passwords, which attackers guess first. */
const COMMON = [
  'password',
  'passw0rd',
  'qwerty',
  'qwertyui',
  'asdfgh',
  'zxcvbn',
  'iloveyou',
  'welcome',
  'admin',
  'letmein',
  'abc123',
  'ringback',
  'monkey',
  'dragon',
  '1q2w3e4r',
  '1qaz2wsx',
];

const lengthOf = (text: string): number => Array.from(text).length;

/**
 * Returns the fault of a password. Null for an acceptable one.
 * @param own - public data of the user: nickname, e-mail, phone.
 */
export function passwordFault(password: string, own: readonly string[] = []): PasswordFault | null {
  const text = password.normalize('NFKC');
  if (lengthOf(text) < PASSWORD_LEAST) return 'short';
  if (lengthOf(text) > PASSWORD_MOST) return 'long';
  return isCommon(text.toLowerCase(), own) ? 'common' : null;
}

function isCommon(text: string, own: readonly string[]): boolean {
  const letters = Array.from(text);
  if (new Set(letters).size < 4 || isRun(letters)) return true;
  const known = [...COMMON, ...own.map((one) => one.toLowerCase()).filter((one) => one !== '')];
  return known.some((word) => text === word || text === word + word || bareOf(text) === word);
}

/** Returns the text without digits and signs at its end, which users add to make a word longer. */
const bareOf = (text: string): string => text.replaceAll(/[^\p{L}\p{M}]+$/gu, '');

/** Returns whether each sign follows the one before it, up or down: 12345678, abcdefgh, 87654321. */
function isRun(letters: readonly string[]): boolean {
  const steps = letters.slice(1).map((letter, at) => (letter.codePointAt(0) ?? 0) - (letters[at]?.codePointAt(0) ?? 0));
  return new Set(steps).size === 1;
}

/** Returns how hard a password is to guess, 0 to 4. Its length counts most, the number of different signs a little. */
export function passwordStrength(password: string, own: readonly string[] = []): 0 | 1 | 2 | 3 | 4 {
  if (password === '' || passwordFault(password, own) !== null) return 0;
  const signs = Array.from(password);
  const length = Math.min(signs.length, new Set(signs).size * 2);
  if (length >= 18) return 4;
  if (length >= 14) return 3;
  return length >= 10 ? 2 : 1;
}
