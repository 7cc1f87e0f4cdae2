import { expect, it } from 'vitest';
import { DeferredPolicy } from '../../../sim/server/deferred-policy.ts';

it('refuses every login, dial and invitation and finds no user until a host decides, and then asks the host', async () => {
  const dial = { callId: 'one', caller: 'alice', callee: 'bob', isVideoCall: false };
  const invitation = { inviter: 'alice', invitee: 'bob' };
  const bob = { user_id: 'bob', nickname: 'Bob', profile_url: '' };
  const policy = new DeferredPolicy();
  const decisions = async (token: string | null) => [
    await policy.mayLogIn('alice', token),
    await policy.mayDial(dial),
    await policy.mayInvite(invitation),
    await policy.findUser('bob'),
  ];
  expect(await decisions(null)).toEqual([false, false, false, undefined]);
  const asked: unknown[] = [];
  policy.decideBy({
    mayLogIn: (...login) => asked.push(login) > 0,
    mayDial: async (question) => asked.push(question) > 0,
    mayInvite: async (question) => asked.push(question) > 0,
    findUser: async (userId) => (asked.push(userId), bob),
  });
  expect(await decisions('token')).toEqual([true, true, true, bob]);
  expect(asked).toEqual([['alice', 'token'], dial, invitation, 'bob']);
});
