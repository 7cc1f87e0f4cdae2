import { describe, expect, it } from 'vitest';
import { callWorld, type CallWorld, type Party } from './support/call-world.ts';

/** What becomes of a session that the exchange does not take any more: it was started anew, or put the user out. */
const VOICE = { isVideoCall: false, callOption: {} };
const LOGIN = '/v1/users/alice/login';

async function signedIn() {
  const world = await callWorld();
  const [alice, bob] = [await world.party('alice'), await world.party('bob')];
  const lost: string[] = [];
  alice.client.addListener('lost', { onSessionLost: () => lost.push('lost') });
  return { world, alice, bob, lost, logins: () => alice.httpRequests(LOGIN).length };
}

/** The exchange forgets its sessions and its calls, and every socket of the device breaks. */
function restart({ world }: CallWorld, ...parties: Party[]) {
  for (const { client, platform } of parties) {
    world.exchange.revokeSessions(client.currentUser?.userId ?? '');
    platform.net.dropSockets();
  }
  world.exchange.forgetCalls();
}

const putOut = ({ world }: CallWorld) =>
  world.exchange.addUser({ user_id: 'alice', nickname: 'alice', profile_url: '', is_active: false });

describe('a session that the exchange does not take any more', () => {
  it('D07 F14: is opened anew after a restart of the exchange, and calls come as before', async () => {
    const { world, alice, bob, lost, logins } = await signedIn();
    restart(world, alice, bob);
    await world.advance(4_000);
    expect(logins()).toBe(2);
    bob.dial('alice', VOICE);
    await world.settle();
    expect(alice.rung().caller.userId).toBe('bob');
    const back = alice.dial('bob', VOICE);
    await world.settle();
    expect(alice.dialled).toEqual([{ call: back, code: undefined }]);
    expect([lost, alice.errors()]).toEqual([[], []]);
  });

  it('F15: a call that the restarted exchange knows nothing of ends unknown', async () => {
    const { world, alice, bob } = await signedIn();
    const call = alice.dial('bob', VOICE);
    await world.settle();
    bob.rung().accept({ callOption: {} });
    await world.advance(1_000);
    restart(world, alice, bob);
    await world.advance(4_000);
    expect([call.endResult, bob.rung().endResult]).toEqual(['UNKNOWN', 'UNKNOWN']);
  });

  it('a login that its host has given up on and that arrives late takes nothing from the one after it', async () => {
    const { world, alice, lost, logins } = await signedIn();
    alice.client.deauthenticate();
    alice.delay({ from: 'alice', type: `POST ${LOGIN}`, by: 1_000 });
    const givenUp = alice.client.authenticate({ userId: 'alice' });
    givenUp.catch(() => undefined);
    await world.advance(10);
    alice.heal();
    alice.client.deauthenticate();
    const wanted = alice.client.authenticate({ userId: 'alice' });
    await world.advance(2_000);
    await wanted;
    await expect(givenUp).rejects.toMatchObject({ code: 1800303 });
    const connecting = alice.client.connectWebSocket();
    await world.advance(100);
    await connecting;
    expect([logins(), lost, alice.errors()]).toEqual([3, [], []]);
  });

  it('a host that connects meanwhile waits for the same outcome', async () => {
    const { world, alice, logins } = await signedIn();
    restart(world, alice);
    alice.delay({ from: 'alice', type: `POST ${LOGIN}`, by: 1_000 });
    await world.advance(2_500);
    const connecting = alice.client.connectWebSocket();
    await world.advance(1_000);
    await connecting;
    expect(logins()).toBe(2);
  });

  it('ERR-1800303: is lost when the user is not let in: the host is told once, and nothing is tried any more', async () => {
    const { world, alice, lost, logins } = await signedIn();
    putOut(world);
    restart(world, alice);
    await world.advance(600_000);
    expect([lost, logins()]).toEqual([['lost'], 2]);
    await expect(alice.client.connectWebSocket()).rejects.toMatchObject({ code: 1800303 });
    const call = alice.dial('bob', VOICE);
    await world.settle();
    expect(alice.dialled).toEqual([{ call, code: 1800303 }]);
    expect(alice.errors().join('\n')).toMatch(/signing in again was refused/);
  });

  it('may be had again by authenticating', async () => {
    const { world, alice, bob, lost } = await signedIn();
    putOut(world);
    restart(world, alice);
    await world.advance(10_000);
    world.world.exchange.addUser({ user_id: 'alice', nickname: 'alice', profile_url: '' });
    await world.done(alice.client.authenticate({ userId: 'alice' }));
    await world.done(alice.client.connectWebSocket());
    bob.dial('alice', VOICE);
    await world.settle();
    expect([alice.rings.length, lost]).toEqual([1, ['lost']]);
  });

  it('F05: one that is refused as soon as it is new is lost: no storm of logins', async () => {
    const { world, alice, lost, logins } = await signedIn();
    alice.platform.net.setSockets(401);
    alice.platform.net.dropSockets();
    await world.advance(600_000);
    expect([lost, logins()]).toEqual([['lost'], 2]);
  });

  it('RT-06 D07: a sign-in that nobody answers is tried again by the backoff, and at once when the host connects', async () => {
    const { world, alice, lost, logins } = await signedIn();
    restart(world, alice);
    alice.lose({ from: 'alice', type: `POST ${LOGIN}` });
    await world.advance(2_500);
    expect(logins()).toBe(2);
    // 2, 5, 10, 20 and 30 s, each longer by up to a fifth.
    await world.advance(82_000);
    expect(logins()).toBe(7);
    const connecting = alice.client.connectWebSocket();
    await expect(world.done(connecting)).rejects.toMatchObject({ code: 1800202 });
    expect(logins()).toBe(8);
    alice.heal();
    await world.done(alice.client.connectWebSocket());
    expect([logins(), lost]).toEqual([9, []]);
  });

  it('D07: a second refusal of the session begins the backoff anew', async () => {
    const { world, alice, logins } = await signedIn();
    restart(world, alice);
    alice.lose({ from: 'alice', type: `POST ${LOGIN}` });
    // Tries at once and after 2, 5, 10 and 20 s, each longer by up to a fifth.
    await world.advance(50_000);
    expect(logins()).toBe(6);
    alice.heal();
    await world.advance(40_000);
    expect(logins()).toBe(7);
    await world.advance(10_000);
    restart(world, alice);
    alice.lose({ from: 'alice', type: `POST ${LOGIN}` });
    // The channel opens again after 2 to 2.4 s and is refused; the next try follows 2 to 2.4 s later.
    await world.advance(2_500);
    expect(logins()).toBe(8);
    await world.advance(2_500);
    expect(logins()).toBe(9);
  });

  it('a host that signs out meanwhile is not signed in again', async () => {
    const { world, alice, logins } = await signedIn();
    restart(world, alice);
    alice.delay({ from: 'alice', type: `POST ${LOGIN}`, by: 1_000 });
    await world.advance(2_500);
    alice.client.deauthenticate();
    await world.advance(60_000);
    expect([logins(), alice.platform.net.openSockets]).toEqual([2, 0]);
    await expect(alice.client.connectWebSocket()).rejects.toMatchObject({ code: 1800303 });
  });

  it('S32: the access token it signs in with is in no line of the log', async () => {
    const { world, alice } = await signedIn();
    await world.done(alice.client.authenticate({ userId: 'alice', accessToken: 'canary-4711' }));
    restart(world, alice);
    await world.advance(10_000);
    const bodies = alice.httpRequests(LOGIN).map(({ body }) => JSON.parse(body ?? '').access_token);
    expect(bodies).toEqual([undefined, 'canary-4711', 'canary-4711']);
    expect(alice.platform.printed.join('\n')).not.toContain('canary');
  });
});

describe('signing in again while the channel is open', () => {
  it('S08: the channel goes on with the new session, and the call with it', async () => {
    const { world, alice, bob } = await signedIn();
    const call = alice.dial('bob', VOICE);
    await world.settle();
    await world.done(alice.client.authenticate({ userId: 'alice' }));
    await world.done(alice.client.connectWebSocket());
    bob.rung().accept({ callOption: {} });
    await world.advance(1_000);
    expect([alice.state(call), bob.state(bob.rung())]).toEqual(['connected', 'connected']);
    call.muteMicrophone();
    await world.settle();
    expect([bob.rung().isRemoteAudioEnabled, alice.errors()]).toEqual([false, []]);
  });

  it('who waits for a channel that is opening is not refused', async () => {
    const { world, alice } = await signedIn();
    alice.client.deauthenticate();
    await world.done(alice.client.authenticate({ userId: 'alice' }));
    alice.platform.net.setSockets('stalled');
    const connecting = alice.client.connectWebSocket();
    await world.settle();
    await world.done(alice.client.authenticate({ userId: 'alice' }));
    alice.heal();
    await world.done(connecting);
    expect(alice.platform.net.openSockets).toBe(1);
  });
});
