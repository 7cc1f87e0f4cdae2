import { http, HttpResponse } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createProductClient } from '../../../src/app/core/product/product-client.ts';
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

  it('keeps the request of a sign-out alive when the page closes, and no other request', async () => {
    const kept: unknown[] = [];
    const watched = createProductClient(
      'http://api.test',
      (url, init) => {
        kept.push([new URL(url).pathname, init?.keepalive]);
        return fetch(url, init);
      },
      () => token,
    );
    server.use(
      http.post('http://api.test/auth/logout', () => HttpResponse.json({})),
      http.get('http://api.test/gifts', () => HttpResponse.error()),
    );
    await watched.ask('logout', {});
    await expect(watched.ask('gifts', {})).rejects.toThrow('gifts');
    expect(kept).toEqual([
      ['/auth/logout', true],
      ['/gifts', false],
    ]);
  });

  it('allows a picture the time of a slow connection: 8 MiB take two minutes more than a request without a body', async () => {
    const limits = vi.spyOn(AbortSignal, 'timeout');
    onTestFinished(() => limits.mockRestore());
    server.use(
      http.post('http://api.test/media', () => HttpResponse.json({}, { status: 413 })),
      http.get('http://api.test/gifts', () => HttpResponse.error()),
    );
    const body = new Blob([new Uint8Array(8 * 1024 * 1024)], { type: 'image/jpeg' });
    await expect(product.ask('uploadMedia', { query: { for: 'chat' }, body })).rejects.toThrow('413');
    await expect(product.ask('gifts', {})).rejects.toThrow('gifts');
    expect(limits.mock.calls).toEqual([[15_000 + 131_072], [15_000]]);
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

  it('names the fault of an answer that breaks the contract', async () => {
    server.use(http.get('http://api.test/demo/users', () => HttpResponse.json({ users: [{ u_id: 'kai' }] })));
    await expect(product.ask('demoUsers', {})).rejects.toMatchObject({
      kind: 'malformed',
      message: expect.stringContaining('users.0.nickname'),
    });
  });

  it('distinguishes a refusal from an answer that is no JSON and from no answer', async () => {
    server.use(http.get('http://api.test/demo/users', () => new HttpResponse('<html>')));
    await expect(product.ask('demoUsers', {})).rejects.toMatchObject({ kind: 'malformed' });
    server.use(http.get('http://api.test/demo/users', () => HttpResponse.error()));
    await expect(product.ask('demoUsers', {})).rejects.toMatchObject({ kind: 'unreachable' });
  });
});
