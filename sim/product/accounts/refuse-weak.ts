import { passwordFault } from '../../../src/protocol/product/password-rules.ts';
import { isCommonPassword } from './common-passwords.ts';
import { Refusal } from '../refusal.ts';

/**
 * Refuses a password that breaks the rules of the app, or that is in the server's list of common passwords.
 *
 * @param own - data of the user that others know: nickname, e-mail, phone.
 * @throws Refusal `weak_password`.
 */
export function refuseWeak(password: string, own: readonly string[]): void {
  const fault = passwordFault(password, own) ?? (isCommonPassword(password) ? 'common' : null);
  if (fault !== null) throw new Refusal('weak_password', `The password is too ${fault}.`, { field: 'password' });
}
