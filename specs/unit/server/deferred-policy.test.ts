import { expect, it } from 'vitest';
import { DeferredPolicy } from '../../../sim/server/deferred-policy.ts';

it('refuses every login, dial and invitation until a host decides, and then leaves them to the host', async () => {
  const dial = { callId: 'one', caller: 'alice', callee: 'bob', isVideoCall: false };
  const invitation = { inviter: 'alice', invitee: 'bob' };
  const policy = new DeferredPolicy();
  const decisions = async (token: string | null) => [
    await policy.mayLogIn('alice', token),
    await policy.mayDial(dial),
    await policy.mayInvite(invitation),
  ];
  expect(await decisions(null)).toEqual([false, false, false]);
  const asked: unknown[] = [];
  policy.decideBy({
    mayLogIn: (...login) => asked.push(login) > 0,
    mayDial: async (question) => asked.push(question) > 0,
    mayInvite: async (question) => asked.push(question) > 0,
  });
  expect(await decisions('token')).toEqual([true, true, true]);
  expect(asked).toEqual([['alice', 'token'], dial, invitation]);
});
