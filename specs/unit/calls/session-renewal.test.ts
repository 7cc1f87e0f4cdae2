import { describe, expect, it } from 'vitest';
import { callWorld, type CallWorld, type MediaPeer } from './support/call-world.ts';
import { ErrorCode } from '../../../src/protocol/errors.ts';

/** A session that the exchange refuses: the exchange started anew, or it ended the session of the user. */
const VOICE = { isVideoCall: false, callOption: {} };
const LOGIN = '/v1/users/alice/login';

/** A client without a call is back on its channel by then: 2 s and up to 10 s at random. */
const BACK_MS = 12_500;

async function signedIn() {
  const world = await callWorld();
  const [alice, bob] = [await world.party('alice'), await world.party('bob')];
  const lost: string[] = [];
  alice.client.addListener('lost', { onSessionLost: () => lost.push('lost') });
  return { world, alice, bob, lost, logins: () => alice.httpRequests(LOGIN).length };
}

/** The exchange forgets its sessions and its calls, and every socket of the device breaks. */
function restart({ world }: CallWorld, ...parties: MediaPeer[]) {
  for (const { client, platform } of parties) {
    world.exchange.revokeSessions(client.currentUser?.userId ?? '');
    platform.net.dropSockets();
  }
  world.exchange.forgetCalls();
}

/** The times of alice's sign-ins, in milliseconds since the world began. */
const triesAt = ({ world }: CallWorld) =>
  world.network.trace
    .filter(({ type, direction }) => type === `POST ${LOGIN}` && direction === 'up')
    .map(({ at }) => at);

const putOut = ({ world }: CallWorld) =>
  world.exchange.addUser({ user_id: 'alice', nickname: 'alice', profile_url: '', is_active: false });

/** Answers logins with 503 until the returned function is called. */
const refuseLogins = ({ world }: CallWorld) =>
  world.network.rule(({ type, direction }) =>
    type === `POST ${LOGIN}` && direction === 'up' ? { answer: { status: 503, body: {} } } : undefined,
  );

describe('a session that the exchange refuses', () => {
  it('D07 F14: is renewed after a restart of the exchange, and calls ring again', async () => {
    const { world, alice, bob, lost, logins } = await signedIn();
    restart(world, alice, bob);
    await world.advance(BACK_MS);
    expect(logins()).toBe(2);
    bob.dial('alice', VOICE);
    await world.settle();
    expect(alice.rung().caller.userId).toBe('bob');
    const back = alice.dial('bob', VOICE);
    await world.settle();
    expect(alice.dialled).toEqual([{ call: back, code: undefined }]);
    expect([lost, alice.errors()]).toEqual([[], []]);
  });

  it('F15: a call that the restarted exchange does not know ends unknown', async () => {
    const { world, alice, bob } = await signedIn();
    const call = alice.dial('bob', VOICE);
    await world.settle();
    bob.rung().accept({ callOption: {} });
    await world.advance(1_000);
    restart(world, alice, bob);
    await world.advance(4_000);
    expect([call.endResult, bob.rung().endResult]).toEqual(['UNKNOWN', 'UNKNOWN']);
  });

  it('a late login that its host has aborted does not affect the next one', async () => {
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
    await expect(givenUp).rejects.toMatchObject({ code: ErrorCode.USER_NOT_AUTHENTICATED });
    const connecting = alice.client.connectWebSocket();
    await world.advance(100);
    await connecting;
    expect([logins(), lost, alice.errors()]).toEqual([3, [], []]);
  });

  it('a host that connects meanwhile waits for the same result', async () => {
    const { world, alice, logins } = await signedIn();
    restart(world, alice);
    alice.delay({ from: 'alice', type: `POST ${LOGIN}`, by: 1_000 });
    await world.advance(2_500);
    const connecting = alice.client.connectWebSocket();
    await world.advance(2_000);
    await connecting;
    expect(logins()).toBe(2);
  });

  it('ERR-1800202: a host that connects is refused for now while its new session is renewed again', async () => {
    const { world, alice, lost, logins } = await signedIn();
    restart(world, alice);
    alice.delay({ from: 'alice', type: `POST ${LOGIN}`, by: 1_000 });
    await world.world.clock.advanceUntil(BACK_MS, () => logins() === 2);
    alice.platform.net.setSockets('unanswered');
    const refused = expect(alice.client.connectWebSocket()).rejects.toMatchObject({
      code: ErrorCode.ERR_WEBSOCKET_CONNECTION_FAILED,
    });
    // By then the session is older than the first backoff: its refusal signs in at once.
    await world.advance(7_000);
    world.world.exchange.revokeSessions('alice');
    alice.platform.net.setSockets('up');
    await world.settle();
    await refused;
    expect(logins()).toBe(3);
    await world.advance(2_000);
    expect([alice.platform.net.openSockets, lost]).toEqual([1, []]);
  });

  it('a host that signs in again meanwhile gets the channel that it waits for', async () => {
    const { world, alice, lost, logins } = await signedIn();
    restart(world, alice);
    alice.delay({ from: 'alice', type: `POST ${LOGIN}`, by: 1_000 });
    const again = alice.client.authenticate({ userId: 'alice' });
    const connecting = alice.client.connectWebSocket();
    await world.advance(4_000);
    await again;
    await connecting;
    expect([logins(), alice.platform.net.openSockets, lost]).toEqual([2, 1, []]);
  });

  it('a host that signs in again meanwhile need not request the channel again', async () => {
    const { world, alice, lost, logins } = await signedIn();
    restart(world, alice);
    alice.lose({ from: 'alice', type: `POST ${LOGIN}` });
    await world.world.clock.advanceUntil(BACK_MS, () => logins() === 2);
    alice.heal();
    const again = alice.client.authenticate({ userId: 'alice' });
    await world.advance(61_000);
    await again;
    expect([alice.platform.net.openSockets, lost]).toEqual([1, []]);
  });

  it('ERR-1800303: is lost when the exchange refuses the user: the host is notified once, and nothing is retried', async () => {
    const { world, alice, lost, logins } = await signedIn();
    putOut(world);
    restart(world, alice);
    await world.advance(600_000);
    expect([lost, logins()]).toEqual([['lost'], 2]);
    await expect(alice.client.connectWebSocket()).rejects.toMatchObject({ code: ErrorCode.USER_NOT_AUTHENTICATED });
    const call = alice.dial('bob', VOICE);
    await world.settle();
    expect(alice.dialled).toEqual([{ call, code: ErrorCode.USER_NOT_AUTHENTICATED }]);
    expect(alice.errors().join('\n')).toMatch(/signing in again was refused/);
  });

  it('can be started again by authenticating', async () => {
    const { world, alice, bob, lost } = await signedIn();
    putOut(world);
    restart(world, alice);
    await world.advance(BACK_MS);
    world.world.exchange.addUser({ user_id: 'alice', nickname: 'alice', profile_url: '' });
    await world.done(alice.client.authenticate({ userId: 'alice' }));
    await world.done(alice.client.connectWebSocket());
    bob.dial('alice', VOICE);
    await world.settle();
    expect([alice.rings.length, lost]).toEqual([1, ['lost']]);
  });

  it('F05 D07: is renewed with backoff when it is refused at its start, and is not lost', async () => {
    const { world, alice, lost, logins } = await signedIn();
    alice.platform.net.setSockets(401);
    alice.platform.net.dropSockets();
    await world.advance(60_000);
    expect(logins()).toBeGreaterThan(2);
    await world.advance(540_000);
    // At most every 30 s, and at least every minute.
    expect(logins()).toBeGreaterThan(10);
    expect(logins()).toBeLessThan(25);
    expect(lost).toEqual([]);
    alice.heal();
    await world.advance(60_000);
    expect(alice.platform.net.openSockets).toBe(1);
  });

  it.each([
    ['a page of a proxy', { status: 200, body: '<html>Sign in to the network</html>' }],
    ['a page of a proxy that refuses', { status: 403, body: '<html>Forbidden</html>' }],
    ['a redirect', { status: 302, body: '' }],
    ['an answer of another shape', { status: 200, body: { welcome: true } }],
    [
      'an exchange that starts',
      { status: 503, body: { code: ErrorCode.ERR_REQUEST_FAILED, message: 'The exchange is starting.' } },
    ],
    ['a failure of the exchange', { status: 500, body: { code: ErrorCode.ERR_SERVER_INTERNAL_ERROR, message: '' } }],
    [
      'too many logins',
      {
        status: 429,
        body: { code: ErrorCode.ERR_SERVER_INTERNAL_ERROR, message: 'Too many logins. Try again later.' },
      },
    ],
  ])('ERR-1800208 ERR-1800205: a sign-in that meets %s is retried', async (_, answer) => {
    const { world, alice, bob, lost, logins } = await signedIn();
    restart(world, alice);
    const undo = world.world.network.rule(({ type, direction }) =>
      type === `POST ${LOGIN}` && direction === 'up' ? { answer } : undefined,
    );
    await world.advance(30_000);
    expect([logins() > 2, lost]).toEqual([true, []]);
    undo();
    await world.advance(60_000);
    bob.dial('alice', VOICE);
    await world.settle();
    expect([alice.rings.length, lost]).toEqual([1, []]);
  });

  it('ERR-1800303: is renewed when it is refused on an open channel, and the command is sent again', async () => {
    const { world, alice, bob, lost, logins } = await signedIn();
    world.world.exchange.revokeSessions('alice');
    const call = alice.dial('bob', VOICE);
    await world.settle();
    expect([alice.dialled, logins(), bob.rings.length]).toEqual([[{ call, code: undefined }], 2, 1]);
    bob.rung().accept({ callOption: {} });
    await world.advance(1_000);
    expect([alice.state(call), lost, alice.errors()]).toEqual(['connected', [], []]);
  });

  it('ERR-1800303: is renewed when it is refused by HTTP, and the request is sent again', async () => {
    const { world, alice, logins } = await signedIn();
    alice.platform.net.setSockets('down');
    alice.platform.net.dropSockets();
    world.world.exchange.revokeSessions('alice');
    const query = alice.client.createDirectCallLogListQuery();
    const again = expect(alice.client.updateCustomItems('none', { a: 'b' })).rejects.toMatchObject({
      code: ErrorCode.ERR_CALL_DOES_NOT_EXIST,
    });
    await expect(world.done(query.next())).resolves.toEqual([]);
    await again;
    expect(logins()).toBe(2);
  });

  it('ERR-1800303: the host gets one event of the loss when an idle channel finds the session refused', async () => {
    const { world, alice, lost, logins } = await signedIn();
    putOut(world);
    world.world.exchange.revokeSessions('alice');
    await world.advance(20_000);
    expect([lost, logins(), alice.platform.net.openSockets]).toEqual([['lost'], 2, 0]);
  });

  it('ERR-1800303: stays lost when it was lost over HTTP and the channel is refused later', async () => {
    const { world, alice, lost, logins } = await signedIn();
    putOut(world);
    world.world.exchange.revokeSessions('alice');
    const request = alice.client.createDirectCallLogListQuery().next();
    await expect(world.done(request)).rejects.toMatchObject({ code: ErrorCode.USER_NOT_AUTHENTICATED });
    await world.advance(60_000);
    await expect(world.done(alice.client.connectWebSocket())).rejects.toMatchObject({
      code: ErrorCode.USER_NOT_AUTHENTICATED,
    });
    expect([lost, logins(), alice.platform.net.openSockets]).toEqual([['lost'], 2, 0]);
  });

  it('ERR-1800303: opens no channel without a request of the host when it is refused by HTTP', async () => {
    const { world, alice, logins } = await signedIn();
    alice.client.deauthenticate();
    await world.done(alice.client.authenticate({ userId: 'alice' }));
    world.world.exchange.revokeSessions('alice');
    await expect(world.done(alice.client.createDirectCallLogListQuery().next())).resolves.toEqual([]);
    await world.advance(1_000);
    expect([logins(), alice.platform.net.openSockets]).toEqual([3, 0]);
    await world.done(alice.client.connectWebSocket());
    expect([logins(), alice.platform.net.openSockets]).toEqual([3, 1]);
  });

  it('ERR-1800303: a request of a user is not sent again with the session of the next user', async () => {
    const { world, alice } = await signedIn();
    world.world.exchange.revokeSessions('alice');
    alice.delay({ from: 'alice', type: 'GET /v1/users/alice/calls', by: 1_000 });
    const refused = expect(alice.client.createDirectCallLogListQuery().next()).rejects.toMatchObject({
      code: ErrorCode.USER_NOT_AUTHENTICATED,
    });
    await world.advance(10);
    alice.heal();
    await world.done(alice.client.authenticate({ userId: 'bob' }));
    await world.advance(2_000);
    await refused;
    expect(alice.httpRequests('/v1/users/alice/calls')).toHaveLength(1);
  });

  it('ERR-1800303: a refused request during the wait of a sign-in retry signs in at once', async () => {
    const { world, alice, logins } = await signedIn();
    const undo = refuseLogins(world);
    restart(world, alice);
    await world.world.clock.advanceUntil(BACK_MS, () => logins() === 2);
    // The next retry is due after at least 2 s.
    await world.advance(500);
    undo();
    await expect(world.done(alice.client.createDirectCallLogListQuery().next())).resolves.toEqual([]);
    expect(logins()).toBe(3);
  });

  it('a page that returns does not wait for the next sign-in retry', async () => {
    const { world, alice, logins } = await signedIn();
    const undo = refuseLogins(world);
    restart(world, alice);
    await world.world.clock.advanceUntil(BACK_MS, () => logins() === 2);
    alice.platform.page.go('hidden');
    await world.advance(500);
    undo();
    alice.platform.page.go('active');
    await world.settle();
    expect([logins(), alice.platform.net.openSockets]).toEqual([3, 1]);
  });

  it('RT-06 D07: a sign-in without an answer is retried with backoff, and at once when the host connects', async () => {
    const { world, alice, lost, logins } = await signedIn();
    restart(world, alice);
    alice.lose({ from: 'alice', type: `POST ${LOGIN}` });
    await world.advance(200_000);
    // 2, 5, 10, 20 and 30 s, each longer by up to 10 s, or by up to itself.
    const [, ...tries] = triesAt(world);
    const gaps = tries.slice(1).map((at, n) => (at - (tries[n] ?? 0)) / 1_000);
    for (const [n, [least, most]] of [
      [2, 12],
      [5, 15],
      [10, 20],
      [20, 40],
      [30, 60],
    ].entries()) {
      expect(gaps[n]).toBeGreaterThanOrEqual(least ?? NaN);
      expect(gaps[n]).toBeLessThanOrEqual(most ?? NaN);
    }
    const before = logins();
    const connecting = alice.client.connectWebSocket();
    await expect(world.done(connecting)).rejects.toMatchObject({ code: ErrorCode.ERR_WEBSOCKET_CONNECTION_FAILED });
    expect(logins()).toBe(before + 1);
    alice.heal();
    await world.done(alice.client.connectWebSocket());
    expect([logins(), lost]).toEqual([before + 2, []]);
  });

  it('D07: a second refusal of the session restarts the backoff', async () => {
    const { world, alice, logins } = await signedIn();
    restart(world, alice);
    alice.lose({ from: 'alice', type: `POST ${LOGIN}` });
    await world.advance(60_000);
    alice.heal();
    await world.advance(70_000);
    restart(world, alice);
    alice.lose({ from: 'alice', type: `POST ${LOGIN}` });
    const before = logins();
    // The channel opens again after 2 to 12 s and is refused. The next retry follows 2 to 12 s later.
    await world.advance(24_500);
    expect(logins()).toBeGreaterThanOrEqual(before + 2);
  });

  it('a host that signs out meanwhile is not signed in again', async () => {
    const { world, alice, logins } = await signedIn();
    restart(world, alice);
    alice.delay({ from: 'alice', type: `POST ${LOGIN}`, by: 1_000 });
    await world.world.clock.advanceUntil(BACK_MS, () => logins() === 2);
    alice.client.deauthenticate();
    await world.advance(60_000);
    expect([logins(), alice.platform.net.openSockets]).toEqual([2, 0]);
    await expect(alice.client.connectWebSocket()).rejects.toMatchObject({ code: ErrorCode.USER_NOT_AUTHENTICATED });
  });

  it('S32: has its access token in no line of the log', async () => {
    const { world, alice } = await signedIn();
    await world.done(alice.client.authenticate({ userId: 'alice', accessToken: 'canary-4711' }));
    restart(world, alice);
    await world.advance(BACK_MS);
    const bodies = alice.httpRequests(LOGIN).map(({ body }) => JSON.parse(body ?? '').access_token);
    expect(bodies).toEqual([undefined, 'canary-4711', 'canary-4711']);
    expect(alice.platform.printed.join('\n')).not.toContain('canary');
  });
});

describe('a second sign-in while the channel is open', () => {
  it('S08: the channel continues with the new session, and the call with it', async () => {
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

  it('a caller that waits for an opening channel is not refused', async () => {
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
