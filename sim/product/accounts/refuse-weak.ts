import { passwordFault } from '../../../src/protocol/product/password-rules.ts';
import { isCommonPassword } from './common-passwords.ts';
import { Refusal } from '../refusal.ts';

/**
 * Refuses a password that the rules of the app refuse, and one from the list of common passwords, which only the server has.
 *
 * @param own - what belongs to the user and is known to others: nickname, e-mail, phone.
 * @throws Refusal weak_password.
 */
export function refuseWeak(password: string, own: readonly string[]): void {
  const fault = passwordFault(password, own) ?? (isCommonPassword(password) ? 'common' : null);
  if (fault !== null) throw new Refusal('weak_password', `The password is too ${fault}.`, { field: 'password' });
}
