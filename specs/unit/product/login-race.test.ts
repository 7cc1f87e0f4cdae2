import { expect, it } from 'vitest';
import type { Passwords } from '../../../sim/product/accounts/passwords.ts';
import { aMan, openAccountsWorld } from './support/accounts-world.ts';

/** The action that a test runs during the check of a password. */
let meanwhile = (): Promise<unknown> => Promise.resolve();

const passwords: Passwords = {
  hash: (password) => Promise.resolve(`plain ${password}`),
  isOutdated: () => false,
  async matches(password, kept) {
    await meanwhile();
    return kept === `plain ${password}`;
  },
};

it('S08 no user signs in by a password that is changed during its check', async () => {
  const world = await openAccountsWorld({ ports: { passwords } });
  const { u_id } = await world.register(aMan);
  const login = { body: { user_id: u_id, password: aMan.password } };
  const sessions = async () =>
    (await world.database.db.selectFrom('ringback_sign_ins').select('session_id').execute()).length;
  expect((await world.ask('login', login)).u_id).toBe(u_id);
  const before = await sessions();
  meanwhile = () =>
    world.database.db
      .updateTable('ringback_accounts')
      .set({ password_hash: 'plain of another one' })
      .where('u_id', '=', u_id)
      .execute();
  expect(await world.refusal('login', login)).toMatchObject({ status: 401, code: 'wrong_credentials' });
  expect(await sessions()).toBe(before);
  await world.close();
});
