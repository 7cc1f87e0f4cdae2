import { scryptSync } from 'node:crypto';
import { expect, it } from 'vitest';
import { createPasswords, type PasswordCost } from '../../../sim/product/accounts/passwords.ts';
import { openAccountsWorld, aMan } from './support/accounts-world.ts';

const PASSWORD = 'correct horse battery';

/** The hash of the password at a cost, with the salt of what is kept. */
function hashAt(cost: PasswordCost, kept: string): string {
  const [, salt = ''] = kept.split('$');
  const key = scryptSync(PASSWORD, Buffer.from(salt, 'base64url'), 32, { ...cost, maxmem: 2 ** 26 });
  return key.toString('base64url');
}

it('a password is kept at the real cost where the server sets none', async () => {
  const world = await openAccountsWorld({ passwords: createPasswords() });
  const { u_id } = await world.register(aMan);
  const kept = (await (await world.product.opened()).accounts.passwordHash(u_id)) ?? '';
  expect(kept).toMatch(/^scrypt\$[\w-]{22}\$[\w-]{43}$/);
  expect(kept.split('$')[2]).toBe(hashAt({ N: 32_768, r: 8, p: 1 }, kept));
  await world.ask('login', { body: { user_id: u_id, password: aMan.password } });
  expect((await world.refusal('login', { body: { user_id: u_id, password: 'x' } })).code).toBe('wrong_credentials');
  await world.close();
});

it('a password is kept and compared at the cost that is set, whichever way its characters are composed', async () => {
  const cost = { N: 4, r: 1, p: 2 };
  const passwords = createPasswords(cost);
  const kept = await passwords.hash(PASSWORD);
  expect(kept.split('$')[2]).toBe(hashAt(cost, kept));
  expect(await passwords.matches(PASSWORD, kept)).toBe(true);
  expect(await passwords.matches(`${PASSWORD} `, kept)).toBe(false);
  expect(await passwords.matches(PASSWORD, null)).toBe(false);
  expect(await createPasswords({ ...cost, p: 1 }).matches(PASSWORD, kept)).toBe(false);
  expect(await passwords.matches('caf\u0065\u0301', await passwords.hash('caf\u00E9'))).toBe(true);
});
