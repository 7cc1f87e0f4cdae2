/** What a refused input adds to the rate limits: nothing, unless the sender caused the refusal. */
import { afterEach, describe, expect, it } from 'vitest';
import type { RateLimits } from '../../../sim/budgets/rate-limits.ts';
import type { Passwords } from '../../../sim/product/accounts/passwords.ts';
import { Refusal } from '../../../sim/product/refusal.ts';
import { HandClock } from '../support/hand-clock.ts';
import { aMan, aPhoto, aWoman, MINUTE, openAccountsWorld, type AccountsWorld } from './support/accounts-world.ts';
import { clockedLimits } from './support/clocked-limits.ts';
import { occupyPictures } from './support/occupy-pictures.ts';

const undo: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const one of undo.splice(0).toReversed()) await one();
});

async function open(more: Parameters<typeof openAccountsWorld>[0] = {}): Promise<AccountsWorld> {
  const world = await openAccountsWorld(more);
  undo.push(() => world.close());
  return world;
}

/** Rate limits that record what is counted. */
function countingLimits() {
  const inner = clockedLimits(new HandClock(Date.UTC(2026, 0, 1)));
  const counts = new Map<string, number>();
  const add = (id: string, count: number) => void counts.set(id, (counts.get(id) ?? 0) + count);
  const rateLimits: RateLimits = {
    async consume(limit, key) {
      const seconds = await inner.consume(limit, key);
      if (seconds === null) add(`${limit.name}: ${key}`, 1);
      return seconds;
    },
    async giveBack(limit, key) {
      await inner.giveBack(limit, key);
      add(`${limit.name}: ${key}`, -1);
    },
    async forget(limit, key) {
      await inner.forget(limit, key);
      counts.delete(`${limit.name}: ${key}`);
    },
  };
  return { rateLimits, countOf: (name: string, key: string) => counts.get(`${name}: ${key}`) ?? 0 };
}

describe('an upload that finds the queue full', () => {
  it.each([
    ['uploadMedia', 60, 86_400],
    ['putIdentityDocument', 600, 86_400],
  ] as const)('S14: %s counts in its shortest window, and not in the limit of the day', async (name, short, day) => {
    const { rateLimits, countOf } = countingLimits();
    const world = await open({ rateLimits });
    const { u_id, token } = await world.register(aWoman);
    const picture = await aPhoto();
    const asked =
      name === 'uploadMedia'
        ? { query: { for: 'chat' }, body: { mediaType: 'image/jpeg', bytes: Buffer.from(picture, 'base64') } }
        : { body: { document_kind: 'id_card', step: 'front', picture } };
    const counts = () => [short, day].map((seconds) => countOf(`${name} by account in ${seconds} s`, u_id));
    expect((await world.http(name, asked, token)).status).toBe(200);
    expect(counts()).toEqual([1, 1]);
    undo.push(occupyPictures(34));
    expect(await world.refusal(name, asked, token)).toMatchObject({ status: 503, code: 'busy' });
    expect(counts()).toEqual([2, 1]);
  });

  it('S14: is counted when the file is invalid, because the sender chose it', async () => {
    const { rateLimits, countOf } = countingLimits();
    const world = await open({ rateLimits });
    const { u_id, token } = await world.register(aMan);
    const body = { mediaType: 'image/jpeg', bytes: Buffer.from('no picture') };
    expect((await world.refusal('uploadMedia', { query: { for: 'chat' }, body }, token)).code).toBe('wrong_file');
    expect(countOf('uploadMedia by account in 86400 s', u_id)).toBe(1);
  });
});

describe('a request that one limit refuses', () => {
  it('S14: does not count under other limits: a request above the limit of a minute does not count in the day', async () => {
    const { rateLimits, countOf } = countingLimits();
    const world = await open({ rateLimits });
    const { u_id, token } = await world.register(aMan);
    for (let at = 0; at < 120; at += 1) await world.ask('discover', { query: {} }, token);
    for (let at = 0; at < 5; at += 1) expect((await world.refusal('discover', {}, token)).code).toBe('too_many');
    expect(countOf('discover by account in 86400 s', u_id)).toBe(120);
  });
});

describe('portraits', () => {
  const portraitOf = (world: AccountsWorld, name: string) =>
    world.product.http({
      ...{ method: 'GET', path: `/portraits/${name}.svg`, query: {}, headers: {}, body: undefined },
      address: '198.51.100.7',
    });

  it('S14: of existing accounts do not use up the last miss of an address, for simultaneous requests', async () => {
    const world = await open();
    const { u_id } = await world.register(aMan);
    for (let at = 0; at < 59; at += 1) expect((await portraitOf(world, `unknown-${at}`)).status).toBe(404);
    await Promise.all([u_id, u_id, u_id, u_id].map((name) => portraitOf(world, name)));
    expect((await portraitOf(world, u_id)).status).toBe(200);
    expect((await portraitOf(world, 'unknown')).status).toBe(404);
  });

  it('S14: do not count as misses when the database fails', async () => {
    const { rateLimits, countOf } = countingLimits();
    const world = await open({ rateLimits });
    const parts = await world.product.opened();
    const find = parts.accounts.find.bind(parts.accounts);
    parts.accounts.find = () => Promise.reject(new Error('no database'));
    await expect(portraitOf(world, 'anyone')).rejects.toThrow('no database');
    parts.accounts.find = find;
    expect(countOf('portrait failures by address in 3600 s', '198.51.100.7')).toBe(0);
    expect((await portraitOf(world, 'unknown')).status).toBe(404);
    expect(countOf('portrait failures by address in 3600 s', '198.51.100.7')).toBe(1);
  });
});

describe('guesses of a password', () => {
  const OWN = '192.0.2.9';
  const guess = (world: AccountsWorld, password: string, address: string) =>
    world.http('login', { body: { user_id: aMan.contact, password }, address }, '');

  it('S14: count when they are wrong, and not when they are refused as locked', async () => {
    const { rateLimits, countOf } = countingLimits();
    const world = await open({ rateLimits });
    const { u_id } = await world.register(aMan);
    const countOfOwn = () => countOf('passwordGuess failures by target and address in 86400 s', `${OWN} ${u_id}`);
    expect((await guess(world, 'wrong', OWN)).status).toBe(401);
    expect(countOfOwn()).toBe(1);
    // Other clients lock the passwords of the account.
    for (let at = 0; at < 99; at += 1) {
      expect((await guess(world, 'wrong', `198.51.100.${at}`)).status).toBe(401);
    }
    for (let at = 0; at < 10; at += 1) expect((await guess(world, aMan.password, OWN)).status).toBe(423);
    expect(countOfOwn()).toBe(1);
    expect(countOf('passwordGuess failures by address in 3600 s', OWN)).toBe(1);
  });

  it('S14: do not count when the server is too busy to compare them', async () => {
    const { rateLimits, countOf } = countingLimits();
    let isBusy = false;
    const passwords: Passwords = {
      hash: (password) => Promise.resolve(`plain ${password}`),
      isOutdated: () => false,
      async matches(password, kept) {
        if (isBusy) throw new Refusal('busy', 'The server is busy.');
        return kept === `plain ${password}`;
      },
    };
    const world = await open({ rateLimits, ports: { passwords } });
    const { u_id } = await world.register(aMan);
    isBusy = true;
    expect((await guess(world, 'wrong', OWN)).status).toBe(503);
    expect(countOf('passwordGuess failures by target and address in 300 s', `${OWN} ${u_id}`)).toBe(0);
  });
});

describe('letters', () => {
  it('S14: that are refused do not delay the next letter', async () => {
    const world = await open();
    const send = (address: string) =>
      world.http('sendCode', { body: { to: aMan.contact, purpose: 'register' }, address }, '');
    for (let at = 0; at < 9; at += 1) {
      expect((await send(`198.51.100.${at}`)).status).toBe(200);
      world.clock.advance(MINUTE);
    }
    expect((await send('198.51.100.9')).status).toBe(200);
    world.clock.advance(51 * MINUTE - 10_000);
    expect(await send('192.0.2.9')).toMatchObject({ status: 429, body: { code: 'too_many', retry_after: 10 } });
    world.clock.advance(10_000);
    expect((await send('192.0.2.9')).status).toBe(200);
  });
});
