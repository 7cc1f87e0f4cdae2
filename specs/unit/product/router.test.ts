import { describe, expect, it } from 'vitest';
import { unlimited } from '../support/unlimited.ts';
import type { HttpRequest } from '../../../sim/http/request.ts';
import { impliedCodes } from '../../../sim/product/declared-refusals.ts';
import type { Handlers, Me } from '../../../sim/product/handlers.ts';
import type { Log } from '../../../sim/exchange/logging/log.ts';
import { Refusal } from '../../../sim/product/refusal.ts';
import { ProductRouter, UNDECLARED } from '../../../sim/product/router.ts';
import type { EndpointName } from '../../../src/protocol/product/api.ts';
import { HANDLER_REFUSALS } from '../../../src/protocol/product/handler-refusals.ts';
import type { RefusalCode } from '../../../src/protocol/product/refusals.ts';

const kai: Me = { uId: 'kai', genderType: 'man', token: 'good' };

/** A router whose handlers answer `{}`, except the given ones. */
function routerWith(given: Partial<Handlers>, error: Log['error'] = () => undefined): ProductRouter {
  const all = new Proxy({} as Handlers, {
    get: (_, name) => Reflect.get(given, name) ?? (() => ({})),
  });
  const userOf = (token: string) => Promise.resolve(token === 'good' ? kai : undefined);
  return new ProductRouter(all, userOf, { rateLimits: unlimited, log: { error } });
}

const request = (method: string, path: string, more: Partial<HttpRequest> = {}): HttpRequest => ({
  method,
  path,
  query: {},
  headers: {},
  address: '192.0.2.1',
  body: undefined,
  ...more,
});

async function refusalOf(router: ProductRouter, asked: HttpRequest): Promise<unknown> {
  const error: unknown = await router.answer(asked).catch((thrown: unknown) => thrown);
  return error instanceof Refusal ? [error.status, error.body] : error;
}

describe('the product’s router', () => {
  it('refuses an unknown path with 404, and a wrong method with 405', async () => {
    const router = routerWith({});
    expect(await refusalOf(router, request('GET', '/nowhere'))).toEqual([
      404,
      { code: 'not_found', message: 'No endpoint has this path.' },
    ]);
    expect(await refusalOf(router, request('DELETE', '/auth/login'))).toMatchObject([405, { code: 'wrong_method' }]);
    expect(await refusalOf(router, request('GET', '/auth/login/'))).toMatchObject([404, { code: 'not_found' }]);
  });

  it('S06 admits a user with a valid token, and passes the user to the handler', async () => {
    const router = routerWith({ refreshToken: ({ me }) => ({ u_id: me.uId }) });
    const asked = (authorization: string) => request('GET', '/auth/refresh_token', { headers: { authorization } });
    expect(await router.answer(asked('Bearer good'))).toEqual({ u_id: 'kai' });
    expect(await router.answer(asked('bearer good'))).toEqual({ u_id: 'kai' });
    for (const wrong of ['', 'Bearer', 'Bearer forged', 'Basic good', 'Bearer good x']) {
      expect(await refusalOf(router, asked(wrong))).toMatchObject([401, { code: 'signed_out' }]);
    }
  });

  it('S19 names the invalid part of a body, in one plain line', async () => {
    const router = routerWith({});
    const login = (body: unknown) => refusalOf(router, request('POST', '/auth/login', { body }));
    expect(await login(undefined)).toMatchObject([400, { code: 'invalid', field: 'body' }]);
    const [status, body] = (await login({ user_id: '' })) as [number, { field: string; message: string }];
    expect([status, body.field]).toEqual([400, 'user_id']);
    expect(body.message).toMatch(/^user_id is wrong: [^\n]+$/);
  });

  it('S07 refuses fields that the schema does not name, and removes them from the answer', async () => {
    const answer = {
      token: 't',
      u_id: 'kai',
      gender_type: 'man' as const,
      calling_user_id: 'kai',
      calling_access_token: 'c',
      password_hash: 'scrypt$secret',
    };
    const router = routerWith({ login: () => answer });
    expect(await router.answer(request('POST', '/auth/login', { body: { user_id: 'kai' } }))).not.toHaveProperty(
      'password_hash',
    );
    expect(
      await refusalOf(router, request('POST', '/auth/login', { body: { user_id: 'kai', role: 'admin' } })),
    ).toMatchObject([400, { code: 'invalid', field: 'role' }]);
  });

  it('fails when a handler’s answer breaks the contract, instead of sending it', async () => {
    const router = routerWith({});
    const error: unknown = await router
      .answer(request('POST', '/auth/login', { body: { user_id: 'kai' } }))
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(Error);
    expect(error).not.toBeInstanceOf(Refusal);
  });

  it('logs a refusal of a handler that the list of its request lacks, and answers with it', async () => {
    const logged: unknown[] = [];
    const refusing = (code: RefusalCode) =>
      routerWith(
        {
          refreshToken() {
            throw new Refusal(code, 'No.');
          },
        },
        (message, fields) => void logged.push([message, fields]),
      );
    const asked = request('GET', '/auth/refresh_token', { headers: { authorization: 'Bearer good' } });
    // Every request of a signed-in user may be refused with these two.
    for (const code of ['signed_out', 'too_many'] as const) await refusalOf(refusing(code), asked);
    expect(logged).toEqual([]);
    expect(await refusalOf(refusing('taken'), asked)).toEqual([409, { code: 'taken', message: 'No.' }]);
    expect(logged).toEqual([[UNDECLARED, { request: 'refreshToken', refusal: 'taken' }]]);
  });

  it('lists for each request only the refusals of its handler, each once', () => {
    for (const name of Object.keys(HANDLER_REFUSALS) as EndpointName[]) {
      const codes = HANDLER_REFUSALS[name];
      expect([name, codes.filter((code) => impliedCodes(name).includes(code))]).toEqual([name, []]);
      expect([name, codes]).toEqual([name, [...new Set(codes)]]);
    }
  });
});
