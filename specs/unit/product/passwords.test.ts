import { scryptSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { WorkQueue } from '../../../sim/product/work-queue.ts';
import { createPasswords } from '../../../sim/product/accounts/passwords.ts';
import { Refusal } from '../../../sim/product/refusal.ts';
import { openAccountsWorld, aMan } from './support/accounts-world.ts';

const PASSWORD = 'correct horse battery';
const SALT = Buffer.from('0123456789abcdef');

/** The hash of a password, in base64url. */
function hashOf(password: string, salt: Buffer, { N, r, p }: { N: number; r: number; p: number }): string {
  return scryptSync(password, salt, 32, { N, r, p, maxmem: 2 ** 28 }).toString('base64url');
}

describe('a password', () => {
  it('S08: is stored at the cost that OWASP recommends, with its parameters, when the server sets none', async () => {
    const kept = await createPasswords().hash(PASSWORD);
    const [, parameters, salt = '', hash] = kept.split('$');
    expect(parameters).toBe('ln=17,r=8,p=1');
    expect(hash).toBe(hashOf(PASSWORD, Buffer.from(salt, 'base64url'), { N: 131_072, r: 8, p: 1 }));
    expect(await createPasswords().matches(PASSWORD, kept)).toBe(true);
  });

  it('is compared at its stored cost, in any composition of its characters', async () => {
    const passwords = createPasswords({ ln: 2, r: 1, p: 2 });
    const kept = await passwords.hash(PASSWORD);
    expect(kept).toMatch(/^scrypt\$ln=2,r=1,p=2\$[\w-]{22}\$[\w-]{43}$/);
    expect(await passwords.matches(PASSWORD, kept)).toBe(true);
    expect(await passwords.matches(`${PASSWORD} `, kept)).toBe(false);
    for (const nothing of [null, '', 'scrypt$', 'plain', `${kept}$x`, kept.replace('ln=2', 'ln=3')]) {
      expect(await passwords.matches(PASSWORD, nothing)).toBe(false);
    }
    const dearer = createPasswords({ ln: 3, r: 1, p: 2 });
    expect(await dearer.matches(PASSWORD, kept)).toBe(true);
    expect([passwords.isOutdated(kept), dearer.isOutdated(kept)]).toEqual([false, true]);
    expect(await passwords.matches('caf\u0065\u0301', await passwords.hash('caf\u00E9'))).toBe(true);
  });

  it('that was stored without its parameters still signs in, and is then stored at the present cost', async () => {
    const world = await openAccountsWorld();
    const { u_id } = await world.register(aMan);
    const { accounts } = await world.product.opened();
    const old = `scrypt$${SALT.toString('base64url')}$${hashOf(aMan.password, SALT, { N: 32_768, r: 8, p: 1 })}`;
    expect(await accounts.replaceHash(u_id, (await accounts.passwordHash(u_id)) ?? '', old)).toBe(true);
    const login = { body: { user_id: u_id, password: aMan.password } };
    expect((await world.refusal('login', { body: { user_id: u_id, password: 'x' } })).code).toBe('wrong_credentials');
    expect(await accounts.passwordHash(u_id)).toBe(old);
    await world.ask('login', login);
    const renewed = (await accounts.passwordHash(u_id)) ?? '';
    expect(renewed).toMatch(/^scrypt\$ln=1,r=1,p=1\$/);
    await world.ask('login', login);
    expect(await accounts.passwordHash(u_id)).toBe(renewed);
    await world.close();
  });
});

describe('the queue for expensive work', () => {
  it('S14: runs and queues a limited number in order, and refuses others with the time to wait', async () => {
    const queue = new WorkQueue({ atOnce: 2, waiting: 2 });
    const ends: (() => void)[] = [];
    const started: number[] = [];
    const all = Array.from({ length: 5 }, (_, at) =>
      queue.run(() => {
        started.push(at);
        return new Promise<number>((resolve) => ends.push(() => resolve(at)));
      }),
    );
    const refused: unknown = await all[4]?.catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(Refusal);
    expect(refused).toMatchObject({ status: 503, body: { code: 'busy', retry_after: 5 } });
    expect(started).toEqual([0, 1]);
    ends[1]?.();
    expect(await all[1]).toBe(1);
    await Promise.resolve();
    expect(started).toEqual([0, 1, 2]);
    ends[0]?.();
    ends[2]?.();
    await Promise.all([all[0], all[2]]);
    expect(started).toEqual([0, 1, 2, 3]);
    ends[3]?.();
    expect(await all[3]).toBe(3);
    await expect(queue.run(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    expect(await queue.run(() => Promise.resolve('next'))).toBe('next');
  });

  it('S14 B55: answers a login with 503 and Retry-After when it is full', async () => {
    const passwords = createPasswords({ ln: 1, r: 1, p: 1 }, new WorkQueue({ atOnce: 1, waiting: 0 }));
    const world = await openAccountsWorld({ ports: { passwords } });
    const both = await Promise.all(
      ['a', 'b'].map((user_id) => world.http('login', { body: { user_id, password: 'x' } }, '')),
    );
    expect(new Set(both.map(({ status }) => status))).toEqual(new Set([401, 503]));
    expect(both.find(({ status }) => status === 503)).toMatchObject({
      body: { code: 'busy', retry_after: 5 },
      headers: { 'retry-after': '5' },
    });
    await world.close();
  });
});
