import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callingDocument } from '../../../sim/exchange/http/open-api.ts';
import { openApiDocument } from '../../../sim/product/open-api.ts';
import { endpointOf, PRODUCT_API, type EndpointName } from '../../../src/protocol/product/api.ts';
import { REFUSALS } from '../../../src/protocol/product/refusals.ts';
import { Documented } from '../http/documented.ts';
import { aMan, aWoman, openAccountsWorld, type AccountsWorld } from './support/accounts-world.ts';

const names = Object.keys(PRODUCT_API) as EndpointName[];

/**
 * The users that may send each request. The tables of the product have this as well. The second copy detects a mistake
 * in either.
 */
const MAY_ASK: Readonly<Record<'anybody' | 'user' | 'man' | 'woman', readonly EndpointName[]>> = {
  anybody: [
    'sendCode',
    'checkCode',
    'available',
    'register',
    'login',
    'resetPassword',
    'demoUsers',
    'demoMailbox',
    'options',
    'rules',
  ],
  user: [
    'logout',
    'changePassword',
    'sessions',
    'endSession',
    'endOtherSessions',
    'refreshToken',
    'deleteMe',
    'contacts',
    'changeContact',
    'confirmContact',
    'ownerProofs',
    'sendOwnerCode',
    'discover',
    'person',
    'favorites',
    'addFavorite',
    'removeFavorite',
    'notifyWhenOnline',
    'myProfile',
    'changeProfile',
    'today',
    'blocks',
    'block',
    'unblock',
    'report',
    'channels',
    'unreadMessages',
    'openChannel',
    'channel',
    'changeChannel',
    'messages',
    'sendMessage',
    'readMessages',
    'typing',
    'uploadMedia',
    'deleteMedia',
    'pushPublicKey',
    'savePushToken',
    'forgetPushToken',
    'gifts',
    'quoteCall',
    'rateCall',
    'transactions',
    'chargeSessions',
    'chargeSession',
  ],
  man: ['sendGift', 'wallet', 'setDepositLimit', 'depositPacks', 'deposit', 'deposits', 'depositOf', 'paySandbox'],
  woman: [
    'identity',
    'putIdentityDocument',
    'submitIdentity',
    'withdrawIdentity',
    'mySettings',
    'changeSettings',
    'points',
    'income',
    'payoutAccount',
    'setPayoutAccount',
    'sendRedeemCode',
    'redeem',
    'redemptions',
    'cancelRedemption',
  ],
};

let world: AccountsWorld;
const tokens = { nobody: '', man: '', woman: '', other: '', forged: 'x'.repeat(43) };
beforeAll(async () => {
  world = await openAccountsWorld();
  tokens.man = (await world.register(aMan)).token;
  tokens.woman = (await world.register(aWoman)).token;
  tokens.other = (await world.register(aMan, { contact: 'ren@example.com', nickname: 'Ren' })).token;
});
afterAll(() => world.close());

/** Parameters that name nothing that exists. */
const strange = (name: EndpointName) =>
  Object.fromEntries(
    [...endpointOf(name).path.matchAll(/\{(\w+)\}/g)].map(([, part]) => [part ?? '', 'nothing-of-mine']),
  );

async function codeOf(name: EndpointName, token: string, claims: object = {}): Promise<[number, string | undefined]> {
  const asked = { params: strange(name), query: { ...claims }, key: 'a-key-of-mine', body: claims };
  const { status, body } = await world.http(name, asked, token);
  return [status, (body as { code?: string } | null)?.code];
}

it('S44 lists for every request which users may send it, once', () => {
  expect(Object.values(MAY_ASK).flat().toSorted()).toEqual(names.toSorted());
});

describe.each(
  Object.entries(MAY_ASK).flatMap(([access, all]) =>
    all.map((name) => [name, access as keyof typeof MAY_ASK] as const),
  ),
)('access to %s', (name, access) => {
  it('S44 is the same in the table of the product, from which its documents are generated', () =>
    expect(endpointOf(name).access).toBe(access));

  it('S06 S44 B76 is checked before any other fault of the request', async () => {
    const refused = { nobody: await codeOf(name, tokens.nobody), forged: await codeOf(name, tokens.forged) };
    for (const [, code] of Object.values(refused)) {
      if (access === 'anybody') expect(code).not.toBe('signed_out');
      else expect(code).toBe('signed_out');
    }
    // The server knows the kind of a user. A claim of the client has no effect.
    for (const claims of [{}, { gender_type: 'admin' }, { gender_type: access }]) {
      if (access === 'man') expect(await codeOf(name, tokens.woman, claims)).toEqual([403, 'not_yours']);
      if (access === 'woman') expect(await codeOf(name, tokens.man, claims)).toEqual([403, 'not_yours']);
    }
  });

  it('S06 S19 to data of another user is refused with an answer of the contract, and without details of the server', async () => {
    if (!endpointOf(name).path.includes('{')) return;
    const token = access === 'woman' ? tokens.woman : tokens.other;
    const { status, body } = await world.http(name, { params: strange(name), key: 'a-key-of-mine', body: {} }, token);
    if (status === 200) {
      // A removal also succeeds when there was nothing to remove.
      expect(['DELETE', 'POST', 'PUT']).toContain(endpointOf(name).method);
      return;
    }
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(500);
    expect(Object.keys(REFUSALS)).toContain((body as { code: string }).code);
    expect(JSON.stringify(body)).not.toMatch(/node_modules|\bat \/|\.ts:|sqlite|select /i);
  });
});

describe('the OpenAPI document', () => {
  const served = (path: string) =>
    world.product.http({ method: 'GET', path, query: {}, headers: {}, address: '192.0.2.1', body: undefined });

  it('is served to every client, and that of the calling service beside it', async () => {
    expect(await served('/openapi.json')).toEqual({ status: 200, body: openApiDocument() });
    expect(await served('/openapi-calling.json')).toEqual({ status: 200, body: callingDocument() });
  });

  it('describes the answer or the refusal of each request to the running server', async () => {
    const documented = new Documented(openApiDocument());
    const man = await world.register(aMan, { contact: 'sho@example.com', nickname: 'Sho' });
    const woman = await world.register(aWoman, { contact: '0912-345-679', nickname: 'Mei' });
    // The sign-out comes last, because it ends the session of the other requests.
    const inOrder = [...names.filter((name) => name !== 'logout'), 'logout'] as const;
    let answered = 0;
    for (const name of inOrder) {
      const token = endpointOf(name).access === 'woman' ? woman.token : man.token;
      const response = await world.http(name, { params: strange(name) }, token);
      expect([name, documented.faults(name, response)]).toEqual([name, []]);
      answered += response.status === 200 ? 1 : 0;
    }
    expect(answered).toBeGreaterThan(20);
  });
});
