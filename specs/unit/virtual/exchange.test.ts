/** The library's transport with the real exchange, over the virtual network. */
import { expect, test } from 'vitest';
import { Exchange } from '../../../sim/exchange/exchange.ts';
import { createWorld } from '../../../sim/virtual/world.ts';
import { callSignals } from '../../../src/calls/direct-call/call-signals.ts';
import { Log } from '../../../src/calls/logging/log.ts';
import { CatchUp } from '../../../src/calls/realtime/catch-up.ts';
import { Channel } from '../../../src/calls/realtime/channel.ts';
import { Signalling } from '../../../src/calls/realtime/signalling.ts';
import { action, login } from '../../../src/calls/rest/requests.ts';
import { RestClient } from '../../../src/calls/rest/rest-client.ts';
import type { EventFrame } from '../../../src/protocol/envelope.ts';
import { LIBRARY_VERSION } from '../../../src/protocol/limits.ts';
import { MemoryStore } from '../../../sim/store/memory-store.ts';
import { ErrorCode } from '../../../src/protocol/errors.ts';
import { loadedParts } from '../../../src/calls/client/loaded-parts.ts';

const person = (user_id: string) => ({ user_id, nickname: user_id, profile_url: '' });
const DIAL = { is_video_call: false, constraints: { audio: true, video: false }, capabilities: [] };

function createExchangeWorld() {
  let ids = 0;
  const next = (prefix: string) => `${prefix}-${(ids += 1)}`;
  const world = createWorld({
    seed: 1,
    exchange: (clock) =>
      new Exchange({
        clock,
        store: new MemoryStore(),
        ids: { uuid: () => next('id'), token: () => next('token') },
        users: ['alice', 'bob'].map(person),
        settings: { appId: 'app' },
      }),
  });
  /** Advances the world until a promise has settled. */
  const done = async <T>(promise: Promise<T>): Promise<T> => {
    promise.catch(() => undefined);
    await world.advance(50);
    return promise;
  };
  return { world, done };
}

/** A device with the library's transport on it, and nothing above. */
async function device({ world, done }: ReturnType<typeof createExchangeWorld>, userId: string) {
  const platform = world.platform(userId);
  const log = new Log(platform, loadedParts().logText);
  log.setConsoleLevel('WARNING');
  const held: { session?: string } = {};
  const clientId = `${userId}-client`;
  const rest = new RestClient({ ...platform, log, apiHost: 'https://api', clientId, session: () => held.session });
  const { sbcall_session_token: session } = await done(login(rest, { appId: 'app', userId }));
  held.session = session;
  const events: EventFrame[] = [];
  const live: string[] = [];
  const unknown: string[] = [];
  const event = (frame: EventFrame) => void events.push(frame);
  const nothing = () => undefined;
  const restored = () => void catchUp.run();
  const channel = new Channel({
    ...platform,
    isUrgent: () => false,
    log,
    events: { event, restored, roomEvent: nothing, lost: nothing, refused: nothing },
  });
  const signalling = new Signalling({ ...platform, log, channel, action: (frame) => action(rest, frame) });
  const calls = { receive: event, liveIds: () => live, unknown: (id: string) => unknown.push(id) };
  const consumers = [callSignals(calls, { signalling, rest }, log)];
  const catchUp = new CatchUp({ consumers, clock: platform.clock, random: () => 0, log });
  await done(channel.connect({ wsHost: 'wss://ws', sessionToken: session, clientId, version: LIBRARY_VERSION }));
  return { platform, channel, signalling, events, live, unknown, clientId, session };
}

test('RT-01 RT-02 HTTP-18 a user logs in, opens the channel, dials, and the other one is rung', async () => {
  const here = createExchangeWorld();
  const [alice, bob] = [await device(here, 'alice'), await device(here, 'bob')];
  const dialled = await here.done(alice.signalling.request('dial', { callee_id: 'bob', ...DIAL }));
  expect(bob.events.map(({ type, sequence_number }) => [type, sequence_number])).toEqual([['dial', 1]]);
  expect(bob.events[0]?.payload).toMatchObject({ call_id: dialled.call_id, caller: { user_id: 'alice' } });
  expect([...alice.platform.printed, ...bob.platform.printed]).toEqual([]);
});

test('RT-02 D18 a session token is valid for its own client id alone: the channel is refused with 1800303', async () => {
  const here = createExchangeWorld();
  const alice = await device(here, 'alice');
  alice.channel.close();
  const stolen = alice.channel.connect({
    wsHost: 'wss://ws',
    sessionToken: alice.session,
    clientId: 'another',
    version: LIBRARY_VERSION,
  });
  await expect(here.done(stolen)).rejects.toMatchObject({ code: ErrorCode.USER_NOT_AUTHENTICATED });
});

test('HTTP-25 F23 F26 with the channel lost a dial is sent over HTTP, and two copies make one call', async () => {
  const here = createExchangeWorld();
  const [alice, bob] = [await device(here, 'alice'), await device(here, 'bob')];
  alice.platform.net.setSockets('down');
  alice.platform.net.dropSockets();
  here.world.network.drop('POST /v1/action/direct_call', 'down');
  const dialled = alice.signalling.request('dial', { callee_id: 'bob', ...DIAL });
  await here.world.advance(1_100);
  expect((await dialled).call_id).toBe(here.world.exchange.liveCalls[0]?.callId);
  expect(here.world.exchange.liveCalls).toHaveLength(1);
  expect(bob.events.map(({ type }) => type)).toEqual(['dial']);
});

test('DC-49 HTTP-26 F14 missed signals of a lost channel are fetched when it is back', async () => {
  const here = createExchangeWorld();
  const [alice, bob] = [await device(here, 'alice'), await device(here, 'bob')];
  const { call_id } = await here.done(alice.signalling.request('dial', { callee_id: 'bob', ...DIAL }));
  alice.live.push(call_id);
  alice.platform.net.cut();
  await here.done(bob.signalling.request('accept', { call_id, constraints: DIAL.constraints, capabilities: [] }));
  alice.platform.net.restore();
  await here.world.advance(13_000);
  const caughtUp = alice.events.filter(({ delivery_info }) => delivery_info.channel === 'missed_signal');
  expect(caughtUp.map(({ type }) => type)).toContain('accept');
  const order = caughtUp.map(({ sequence_number }) => sequence_number);
  expect(order).toEqual([...order].sort((a, b) => a - b));
  expect(alice.unknown).toEqual([]);
});

test('DC-49 F15 a call the exchange has lost is unknown once the channel is back (D12)', async () => {
  const here = createExchangeWorld();
  const alice = await device(here, 'alice');
  await device(here, 'bob');
  const { call_id } = await here.done(alice.signalling.request('dial', { callee_id: 'bob', ...DIAL }));
  alice.live.push(call_id);
  here.world.exchange.forgetCalls();
  alice.platform.net.dropSockets();
  await here.world.advance(13_000);
  expect(alice.unknown).toEqual([call_id]);
});

test('F17 the newer of two sockets of one client stays: the old one is closed, and events arrive once', async () => {
  const here = createExchangeWorld();
  const [alice, bob] = [await device(here, 'alice'), await device(here, 'bob')];
  const again = bob.platform.sockets.open(
    `wss://ws/v1/realtime?session_token=${bob.session}&client_id=${bob.clientId}&version=1`,
    { opened: () => undefined, received: () => undefined, closed: () => undefined },
  );
  await here.world.advance(10);
  expect(bob.channel.state).toBe('waiting');
  again.close();
  await here.world.advance(13_000);
  await here.done(alice.signalling.request('dial', { callee_id: 'bob', ...DIAL }));
  expect([bob.channel.state, bob.platform.net.openSockets]).toEqual(['open', 1]);
  expect(bob.events.map(({ type }) => type)).toEqual(['dial']);
});
