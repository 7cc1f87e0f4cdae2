import { passwordFault } from '../../../src/protocol/product/password-rules.ts';
import { Refusal } from '../refusal.ts';

/** @throws Refusal weak_password. */
export function refuseWeak(password: string, own: readonly string[]): void {
  const fault = passwordFault(password, own);
  if (fault !== null) throw new Refusal('weak_password', `The password is too ${fault}.`, { field: 'password' });
}
