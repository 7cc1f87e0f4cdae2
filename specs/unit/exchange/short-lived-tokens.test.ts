import { beforeEach, describe, expect, it } from 'vitest';
import { ShortLivedTokens } from '../../../sim/exchange/directory/short-lived-tokens.ts';

const LIFE_MS = 60_000;

describe('a short-lived token', () => {
  const clock = { time: 0, now: () => clock.time };
  let tokens: ShortLivedTokens;
  beforeEach(() => {
    clock.time = 1_000;
    let issued = 0;
    tokens = new ShortLivedTokens(clock, { token: () => `t${(issued += 1)}` }, LIFE_MS);
  });
  const bob = { userId: 'bob', callId: 'call' };

  it('S11 without a client is bound to the first client that uses it', () => {
    const token = tokens.issue({ ...bob, clientId: null });
    expect(tokens.use(token, 'call', 'r1', 'phone')).toEqual({ userId: 'bob', clientId: 'phone' });
    // The same request may come again, from any client: it is still that of the phone.
    expect(tokens.use(token, 'call', 'r1', 'tablet')).toEqual({ userId: 'bob', clientId: 'phone' });
    expect(tokens.use(token, 'call', 'r1', undefined)).toEqual({ userId: 'bob', clientId: 'phone' });
  });

  it('S11 without a client stays valid after a request that names no client', () => {
    const token = tokens.issue({ ...bob, clientId: null });
    expect(tokens.use(token, 'call', 'r1', undefined)).toBeUndefined();
    expect(tokens.use(token, 'call', 'r2', 'phone')).toEqual({ userId: 'bob', clientId: 'phone' });
  });

  it('S11 with a client acts for that client, also when the request names another', () => {
    const token = tokens.issue({ ...bob, clientId: 'phone' });
    expect(tokens.use(token, 'call', 'r1', 'tablet')).toEqual({ userId: 'bob', clientId: 'phone' });
  });

  it('S11 is valid for one request, and one call', () => {
    const token = tokens.issue({ ...bob, clientId: 'phone' });
    expect(tokens.use(token, 'other', 'r1', 'phone')).toBeUndefined();
    expect(tokens.use('t9', 'call', 'r1', 'phone')).toBeUndefined();
    expect(tokens.use(token, 'call', 'r1', 'phone')).toBeDefined();
    expect(tokens.use(token, 'call', 'r2', 'phone')).toBeUndefined();
  });

  it('S11 is valid while others are issued, until it expires', () => {
    const first = tokens.issue({ ...bob, clientId: 'phone' });
    clock.time += LIFE_MS - 1;
    const second = tokens.issue({ ...bob, clientId: 'tablet' });
    expect(tokens.use(first, 'call', 'r1', 'phone')).toEqual({ userId: 'bob', clientId: 'phone' });
    clock.time += 1;
    tokens.issue({ ...bob, clientId: 'watch' });
    expect(tokens.use(first, 'call', 'r1', 'phone')).toBeUndefined();
    expect(tokens.use(second, 'call', 'r2', 'tablet')).toEqual({ userId: 'bob', clientId: 'tablet' });
  });
});
