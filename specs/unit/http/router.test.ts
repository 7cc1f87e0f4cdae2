import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { HttpRefusal } from '../../../sim/http/http-refusal.ts';
import type { HttpRequest } from '../../../sim/http/request.ts';
import { Router } from '../../../sim/http/router.ts';
import { endpoints, type Endpoint } from '../../../src/protocol/endpoint.ts';

const endpoint = { method: 'GET', access: 'anybody', about: 'Tests.', answer: v.unknown() } as const;
const number = v.pipe(v.string(), v.toNumber());
const TABLE = endpoints({
  person: { ...endpoint, path: '/people/{id}' },
  myself: { ...endpoint, path: '/people/me' },
  pay: {
    ...endpoint,
    method: 'POST',
    path: '/people/{id}/pay',
    params: v.object({ id: number }),
    query: v.object({ at: number }),
    body: v.object({ coins: v.number() }),
    isIdempotent: true,
  },
});
type Name = keyof typeof TABLE;
const names: readonly Name[] = ['person', 'myself', 'pay'];

const routerOf = (isEmptyAllowed: boolean) =>
  new Router<Name, string>({
    names,
    endpointOf: (name): Endpoint => TABLE[name],
    budgetOf: () => ({ sender: 'anybody', maxBytes: 7, limits: [], keeps: [] }),
    refuse: (fault) => {
      const part = fault.kind === 'wrong value' ? fault.part : '';
      return new HttpRefusal(400, { code: 1, message: `${fault.kind} ${part}`.trim() });
    },
    isEmptyAllowed,
  });
const router = routerOf(false);

const request = (method: string, path: string, more: Partial<HttpRequest> = {}): HttpRequest => ({
  method,
  path,
  query: {},
  headers: {},
  address: '',
  body: undefined,
  ...more,
});

describe('the router', () => {
  it('prefers a path without parameters, and accepts an empty part as a parameter only if the API permits it', () => {
    const nameOf = (path: string, one = router) => one.nameOf({ method: 'GET', path });
    expect(['/people/me', '/people/me2', '/people', '/people/', '/people/a/b'].map((path) => nameOf(path))).toEqual([
      'myself',
      'person',
      undefined,
      undefined,
      undefined,
    ]);
    expect(nameOf('/people/', routerOf(true))).toBe('person');
  });

  it('returns the largest body of the budget, and JSON for an endpoint without files', () => {
    const found = router.find(request('GET', '/people/a'));
    expect(router.admission(found)).toEqual({ maxBytes: 7, mediaTypes: ['application/json'] });
  });

  it('decodes and reads the parts of a request by its schemas, and refuses the first wrong part', () => {
    const read = (path: string, more: Partial<HttpRequest>) => {
      const asked = request('POST', path, more);
      const found = router.find(asked);
      return router.read(found, router.params(found), asked);
    };
    const headers = { 'idempotency-key': '12345678' };
    expect(read('/people/%31/pay', { query: { at: '2' }, body: { coins: 3, more: 4 }, headers })).toEqual({
      params: { id: 1 },
      query: { at: 2 },
      body: { coins: 3 },
      key: '12345678',
    });
    const at = { at: '2' };
    const body = { coins: 3 };
    expect(() => read('/people/%/pay', {})).toThrow('wrong encoding');
    expect(() => read('/people/x/pay', {})).toThrow('wrong value params');
    expect(() => read('/people/1/pay', {})).toThrow('wrong value query');
    expect(() => read('/people/1/pay', { query: at })).toThrow('wrong value body');
    expect(() => read('/people/1/pay', { query: at, body })).toThrow('wrong key');
    expect(() => read('/people/1/paid', {})).toThrow('unknown path');
    expect(() => read('/people/1', {})).toThrow('wrong method');
  });
});
