import { describe, expect, it } from 'vitest';
import { Sessions } from '../../../sim/exchange/directory/sessions.ts';
import { HandClock } from '../support/hand-clock.ts';

const LIFE_MS = 1_000;

/** Sessions of at most two clients for each user, whose tokens are numbered. */
function sessionsOf(mostPerUser = 2) {
  const clock = new HandClock();
  let tokens = 0;
  let looks = 0;
  const monotonic = () => {
    looks += 1;
    return clock.now();
  };
  const sessions = new Sessions({ now: monotonic }, { token: () => `token-${(tokens += 1)}` }, LIFE_MS, mostPerUser);
  const open = (userId: string, clientId: string) => sessions.open({ userId, clientId }, 'access');
  return { clock, sessions, open, looks: () => looks };
}

describe('S14 the sessions of a user', () => {
  it('are limited: a further one ends the least recently used of this user alone', () => {
    const { sessions, open } = sessionsOf();
    const tokens = [open('alice', 'a'), open('bob', 'a'), open('alice', 'b'), open('alice', 'c')];
    const [a = '', other = '', b = '', c = ''] = tokens;
    expect([sessions.find(a, 'a'), sessions.find(other, 'a')?.userId]).toEqual([undefined, 'bob']);
    expect([sessions.find(b, 'b')?.userId, sessions.find(c, 'c')?.userId]).toEqual(['alice', 'alice']);
    // The session of b is used after that of c.
    sessions.find(b, 'b');
    open('alice', 'd');
    expect([sessions.find(b, 'b')?.userId, sessions.find(c, 'c')]).toEqual(['alice', undefined]);
  });

  it('HTTP-02: expire after their life without use, and the use of one does not extend others', () => {
    const { clock, sessions, open } = sessionsOf();
    const [used, idle] = [open('alice', 'a'), open('bob', 'b')];
    for (let times = 0; times < 3; times += 1) {
      clock.advance(LIFE_MS - 1);
      expect(sessions.find(used, 'a')?.userId).toBe('alice');
    }
    expect(sessions.find(idle, 'b')).toBeUndefined();
    open('carol', 'c');
    expect(sessions.signedIn().map(({ userId }) => userId)).toEqual(['alice', 'carol']);
    clock.advance(LIFE_MS);
    expect(sessions.find(used, 'a')).toBeUndefined();
  });

  it('are dropped at most a hundredth of their life late when one before them was used', () => {
    const { clock, sessions, open } = sessionsOf();
    const used = open('alice', 'a');
    open('bob', 'b');
    clock.advance(LIFE_MS / 100 - 1);
    sessions.find(used, 'a');
    clock.advance(LIFE_MS - LIFE_MS / 100 + 1);
    open('carol', 'c');
    // The session of alice is used 9 ms later than it was placed, and stays before that of bob.
    expect(sessions.signedIn().map(({ userId }) => userId)).toEqual(['alice', 'bob', 'carol']);
    clock.advance(LIFE_MS / 100);
    open('dave', 'd');
    expect(sessions.signedIn().map(({ userId }) => userId)).toEqual(['carol', 'dave']);
    // The session of carol is placed behind that of dave.
    clock.advance(LIFE_MS / 100);
    sessions.find(sessions.tokenOf({ userId: 'carol', clientId: 'c' }) ?? '', 'c');
    clock.advance(LIFE_MS - LIFE_MS / 100);
    open('erin', 'e');
    expect(sessions.signedIn().map(({ userId }) => userId)).toEqual(['carol', 'erin']);
  });

  it('are one for each client: a login of the same client replaces its own', () => {
    const { sessions, open } = sessionsOf(3);
    const [a, b, again] = [open('alice', 'a'), open('alice', 'b'), open('alice', 'a')];
    expect([sessions.find(a, 'a'), sessions.find(b, 'b')?.clientId, sessions.find(again, 'a')?.clientId]).toEqual([
      undefined,
      'b',
      'a',
    ]);
    sessions.find(b, 'b');
    sessions.find(again, 'a');
    // The session of b was used before that of a, which takes one place.
    open('alice', 'c');
    open('alice', 'd');
    expect([sessions.find(b, 'b'), sessions.find(again, 'a')?.clientId]).toEqual([undefined, 'a']);
  });

  it('are dropped when they have expired, and a login reads no session that has not expired', () => {
    const { clock, sessions, open, looks } = sessionsOf(10_000);
    for (let at = 0; at < 1_000; at += 1) open('alice', `client-${at}`);
    const before = looks();
    open('bob', 'b');
    expect(looks() - before).toBeLessThan(5);
    clock.advance(LIFE_MS);
    open('carol', 'c');
    expect(sessions.signedIn()).toEqual([{ userId: 'carol', access: 'access' }]);
    expect(sessions.tokenOf({ userId: 'alice', clientId: 'client-1' })).toBeUndefined();
  });
});
