import { http, HttpResponse } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createProductClient } from '../../../src/app/product/product-client.ts';
import { loginAnswer, somebody } from './product-answers.ts';

const server = setupServer();
beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

let token = 'token-1';
const product = createProductClient(
  'http://api.test',
  (url, init) => fetch(url, init),
  () => token,
);

describe('requests to the product server', () => {
  it('signs in with the user id and reads the whole answer', async () => {
    server.use(
      http.post('http://api.test/auth/login', async ({ request }) => {
        expect(await request.json()).toEqual({ user_id: 'kai' });
        return HttpResponse.json(loginAnswer);
      }),
    );
    await expect(product.ask('login', { body: { user_id: 'kai' } })).resolves.toEqual(loginAnswer);
  });

  it('PRES-06: asks for the other users with the bearer token', async () => {
    server.use(
      http.get('http://api.test/users/discover', ({ request }) =>
        request.headers.get('authorization') === 'Bearer token-1'
          ? HttpResponse.json({ items: [somebody()], next: null })
          : HttpResponse.json({ code: 'signed_out', message: 'Sign in first.' }, { status: 401 }),
      ),
    );
    await expect(product.ask('discover', { query: {} })).resolves.toEqual({ items: [somebody()], next: null });
    token = 'other';
    await expect(product.ask('discover', { query: {} })).rejects.toMatchObject({
      kind: 'refused',
      status: 401,
      refusal: { code: 'signed_out' },
    });
  });

  it('SES-04: does not read the body of a refresh', async () => {
    server.use(http.get('http://api.test/auth/refresh_token', () => new HttpResponse('not json')));
    await expect(product.refreshToken('token-1')).resolves.toBeUndefined();
  });

  it('names what is wrong with an answer that breaks the contract', async () => {
    server.use(http.get('http://api.test/demo/users', () => HttpResponse.json({ users: [{ u_id: 'kai' }] })));
    await expect(product.ask('demoUsers', {})).rejects.toMatchObject({
      kind: 'malformed',
      message: expect.stringContaining('users.0.nickname'),
    });
  });

  it('tells an answer that is no JSON, and no answer at all, from a refusal', async () => {
    server.use(http.get('http://api.test/demo/users', () => new HttpResponse('<html>')));
    await expect(product.ask('demoUsers', {})).rejects.toMatchObject({ kind: 'malformed' });
    server.use(http.get('http://api.test/demo/users', () => HttpResponse.error()));
    await expect(product.ask('demoUsers', {})).rejects.toMatchObject({ kind: 'unreachable' });
  });
});
