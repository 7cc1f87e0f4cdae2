import { expect, it } from 'vitest';
import { DeferredPolicy } from '../../../sim/server/deferred-policy.ts';

it('refuses every login and every dial until a host decides, and then leaves both to the host', async () => {
  const dial = { callId: 'one', caller: 'alice', callee: 'bob', isVideoCall: false };
  const policy = new DeferredPolicy();
  expect([await policy.mayLogIn('alice', null), await policy.mayDial(dial)]).toEqual([false, false]);
  const asked: unknown[] = [];
  policy.decideBy({
    mayLogIn: (...login) => asked.push(login) > 0,
    mayDial: async (question) => asked.push(question) > 0,
  });
  expect([await policy.mayLogIn('alice', 'token'), await policy.mayDial(dial)]).toEqual([true, true]);
  expect(asked).toEqual([['alice', 'token'], dial]);
});
