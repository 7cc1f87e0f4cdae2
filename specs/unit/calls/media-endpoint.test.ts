/** One endpoint of a participant, in virtual time, against the exchange and its media server. */
import { describe, expect, test, vi } from 'vitest';
import { MEDIA_SERVER } from '../../../sim/faults/vocabulary.ts';
import { ROOM_DIRECTIONS } from '../../../src/protocol/room-directions.ts';
import { MediaEndpoint, type MediaEndpointEvents } from '../../../src/calls/room/media/media-endpoint.ts';
import { ErrorCode } from '../../../src/protocol/errors.ts';
import { packSdp, unpackSdp } from '../../../src/protocol/sdp-codec.ts';
import { RoomMediaWorld, type Stay } from './support/room-media-world.ts';

const TYPE = 'small_room_for_audio_only';
const UNKNOWN = ErrorCode.ERR_INVALID_ROOM_PARTICIPANT;
const CANNOT_ATTACH = ErrorCode.ERR_SEND_ENDPOINT_CANNOT_ATTACH;
const CANNOT_SEND = ErrorCode.ERR_FAILED_TO_ESTABLISH_CONNECTION_TO_SEND_STREAM;
const CANNOT_RECEIVE = ErrorCode.ERR_FAILED_TO_ESTABLISH_CONNECTION_TO_RECEIVE_STREAM;
const CONNECTED = ['idle -> offering', 'offering -> established', 'established -> connected'];

/** Makes an endpoint of a participant, which records what it reports. */
function endpointOf(stay: Stay, role: 'master' | 'viewer', more: Partial<MediaEndpointEvents> = {}) {
  const notices: string[] = [];
  const { platform } = stay;
  const microphone = platform.devices.silence();
  const endpoint = new MediaEndpoint({
    role,
    directions: ROOM_DIRECTIONS[TYPE][role] ?? { audio: 'inactive', video: 'inactive' },
    platform: stay.ports,
    requests: stay.endpointRequests,
    tracks: () => Promise.resolve(role === 'master' ? [microphone] : []),
    events: {
      connected: (isAgain) => notices.push(isAgain ? 'connected again' : 'connected'),
      lost: () => notices.push('lost'),
      received: () => notices.push('received'),
      started: () => notices.push('started'),
      failed: ({ code }) => notices.push(`failed ${code}`),
      closed: () => notices.push('closed'),
      ...more,
    },
    log: stay.log,
  });
  return { endpoint, notices };
}

/** A room with alice, and an endpoint of hers that has not begun. With bob, who sends, for a viewer. */
async function scene(role: 'master' | 'viewer' = 'master', more: Partial<MediaEndpointEvents> = {}) {
  const room = new RoomMediaWorld(TYPE);
  const alice = room.stay('alice');
  await room.join(alice);
  const bob = room.stay('bob');
  if (role === 'viewer') {
    await room.join(bob);
    bob.startMedia();
    await room.pass(1_000);
  }
  return { room, alice, bob, ...endpointOf(alice, role, more) };
}

/** The ends of the media server. */
const ends = (room: RoomMediaWorld) => room.world.mediaServer(MEDIA_SERVER).open.length;
const gaps = (times: readonly number[]) => times.slice(1).map((time, at) => time - (times[at] ?? 0));

describe('an endpoint connects', () => {
  test('EP-01 EP-02 EP-05 ENT-11: it offers at once, has an id with the reply, and reports the connection', async () => {
    const { room, alice, endpoint, notices } = await scene();
    const temporary = endpoint.id;
    endpoint.begin();
    expect([endpoint.state, endpoint.id]).toEqual(['offering', temporary]);
    await room.pass(15);
    expect(endpoint.state).toBe('established');
    const made = alice.requests.find(({ type }) => type === 'endpoint_create')?.payload;
    expect(made).toMatchObject({ audio_attr: 'sendonly', video_attr: 'inactive' });
    const offer = unpackSdp(String(made?.['sdp']));
    expect([offer.match(/^m=\w+/gm), offer.includes('a=candidate')]).toEqual([['m=audio'], false]);
    await room.pass(100);
    expect([alice.states, notices]).toEqual([CONNECTED, ['connected']]);
    expect(endpoint.id).not.toBe(temporary);
    const connected = alice.requests.find(({ type }) => type === 'endpoint_connected')?.payload;
    expect(connected).toMatchObject({ endpoint_id: endpoint.id });
    const { current_participants } = (await room.done(alice.request('room_get', { room_id: room.roomId }))).room;
    expect(current_participants.map(({ state }) => state)).toEqual(['connected']);
  });

  test('EP-05: the report of the connection is sent until the exchange has it', async () => {
    const { room, alice, endpoint } = await scene();
    alice.next('endpoint_connected', ErrorCode.ERR_REQUEST_FAILED, ErrorCode.ERR_REQUEST_FAILED);
    endpoint.begin();
    await room.pass(70_000);
    // An attempt fails 5 ms after its send.
    expect(gaps(alice.timesOf('endpoint_connected'))).toEqual([5_005, 6_005]);
    expect([endpoint.state, endpoint.reconnects]).toEqual(['connected', 0]);
  });
});

describe('an endpoint that cannot connect', () => {
  test('EP-03 EP-08 EP-09 EP-10: a refused request leads to another pass, and is reported once', async () => {
    const { room, alice, endpoint, notices } = await scene();
    alice.next('endpoint_create', ErrorCode.ERR_REQUEST_FAILED, ErrorCode.ERR_REQUEST_FAILED);
    endpoint.begin();
    await room.pass(15_000);
    const again = ['offering -> disconnected', 'disconnected -> reconnecting', 'reconnecting -> offering'];
    expect(alice.states).toEqual([CONNECTED[0], ...again, ...again, ...CONNECTED.slice(1)]);
    expect([notices, endpoint.reconnects]).toEqual([[`failed ${CANNOT_SEND}`, 'connected'], 2]);
    expect([alice.connections.length, ends(room)]).toEqual([1, 1]);
  });

  test.each([
    [0, 5_000],
    [0.5, 5_500],
    [1 - Number.EPSILON, 6_000],
  ])('EP-09: with the random number %d the next pass begins after %d ms', async (random, wait) => {
    const { room, alice, endpoint } = await scene();
    vi.spyOn(alice.platform, 'random').mockReturnValue(random);
    alice.next('endpoint_create', ErrorCode.ERR_REQUEST_FAILED);
    endpoint.begin();
    await room.pass(5);
    expect(endpoint.state).toBe('reconnecting');
    await room.pass(wait - 1);
    expect(endpoint.state).toBe('reconnecting');
    await room.pass(1);
    expect(endpoint.state).toBe('offering');
  });

  test('EP-04: a failure of ICE while the request is under way ends the pass', async () => {
    const { room, alice, endpoint } = await scene();
    endpoint.begin();
    await room.pass(1);
    alice.connections[0]?.ice('failed', 'failed');
    await room.pass(7_000);
    expect(alice.states.slice(1, 3)).toEqual(['offering -> disconnected', 'disconnected -> reconnecting']);
    expect([endpoint.state, alice.connections.length, ends(room)]).toEqual(['connected', 1, 1]);
  });

  test('EP-04 EP-11: a reply after the end of its pass is not used, and its endpoint is released at once', async () => {
    const { room, alice, endpoint } = await scene();
    const late = new Promise((resolve) => room.world.clock.after(7_000, () => resolve('late')));
    alice.next('endpoint_create', (reply) => late.then(() => reply) as never);
    endpoint.begin();
    await room.pass(20);
    alice.connections[0]?.ice('failed', 'failed');
    await room.pass(6_970);
    const before = [endpoint.id, alice.timesOf('endpoint_release').length];
    await room.pass(100);
    expect([[endpoint.id, alice.timesOf('endpoint_release').length - 1], ends(room)]).toEqual([before, 0]);
    await room.pass(7_000);
    expect([endpoint.state, alice.connections.length, ends(room)]).toEqual(['connected', 1, 1]);
  });

  test('EP-06: a failure of ICE before the connection ends the pass, with its endpoint at the exchange', async () => {
    const { room, alice, endpoint, notices } = await scene();
    room.cut(alice);
    endpoint.begin();
    await room.pass(15_500);
    expect(alice.states.slice(2)).toEqual(['established -> disconnected', 'disconnected -> reconnecting']);
    expect([alice.connections, notices]).toEqual([[], [`failed ${CANNOT_SEND}`]]);
    room.restore(alice);
    await room.pass(7_000);
    expect([endpoint.state, alice.connections.length, ends(room)]).toEqual(['connected', 1, 1]);
  });

  test('EP-06: a connection that neither connects nor fails ends its pass with the limit of the exchange', async () => {
    const { room, alice, endpoint } = await scene();
    endpoint.begin();
    await room.pass(15);
    const [stuck] = alice.connections;
    if (stuck) vi.spyOn(stuck, 'ice').mockImplementation(() => undefined);
    await room.pass(59_990);
    expect(endpoint.state).toBe('established');
    await room.pass(10);
    expect(endpoint.state).toBe('reconnecting');
    await room.pass(7_000);
    expect([endpoint.state, ends(room)]).toEqual(['connected', 1]);
  });

  test.each<[string, (answer: string) => string]>([
    ['is not packed', () => 'nonsense'],
    ['has another section', (answer) => packSdp(unpackSdp(answer).replace('m=audio', 'm=video'))],
    ['has one section more', (answer) => packSdp(`${unpackSdp(answer)}m=audio 9 UDP/TLS/RTP/SAVPF 111\r\n`)],
    ['has no section', (answer) => packSdp(unpackSdp(answer).replace(/m=audio[^]*/, 'a=fingerprint:sha-256 A:B\r\n'))],
    ['has a weak fingerprint', (answer) => packSdp(unpackSdp(answer).replace('sha-256', 'md5'))],
    ['has broken lines', (answer) => packSdp(unpackSdp(answer).replaceAll('\r\n', '\n'))],
  ])('EP-06: an answer that %s never reaches the engine, and ends its pass', async (_what, corrupt) => {
    const { room, alice, endpoint } = await scene();
    alice.next('endpoint_create', (reply) => ({ ...reply, sdp: corrupt(String(reply['sdp'])) }));
    endpoint.begin();
    const [connection] = alice.connections;
    const applied = connection && vi.spyOn(connection, 'setRemoteDescription');
    await room.pass(20);
    expect([endpoint.state, applied?.mock.calls]).toEqual(['reconnecting', []]);
    expect(alice.errors).toEqual(['media endpoint: applying the answer failed']);
    await room.pass(7_000);
    expect([endpoint.state, ends(room)]).toEqual(['connected', 1]);
  });

  test('EP-03: an engine that makes no connection is asked again', async () => {
    const { room, alice, endpoint } = await scene();
    const make = vi.spyOn(alice.platform.rtc, 'createPeerConnection');
    make.mockImplementationOnce(() => {
      throw new Error('too many');
    });
    endpoint.begin();
    expect(endpoint.state).toBe('reconnecting');
    await room.pass(7_000);
    expect(endpoint.state).toBe('connected');
  });
});

describe('a connected endpoint', () => {
  test('EP-07 EP-08 EP-10 EP-14: connects again after a loss, with one connection and one endpoint', async () => {
    const { room, alice, endpoint, notices } = await scene();
    endpoint.begin();
    await room.pass(1_000);
    const former = endpoint.id;
    room.cut(alice);
    await room.pass(16_000);
    expect([endpoint.state, notices]).toEqual(['connected', ['connected']]);
    await room.pass(2_000);
    expect([endpoint.state, alice.connections]).toEqual(['reconnecting', []]);
    expect(notices).toEqual(['connected', 'lost']);
    room.restore(alice);
    await room.pass(6_000);
    const lost = ['connected -> disconnected', 'disconnected -> reconnecting', 'reconnecting -> offering'];
    expect(alice.states).toEqual([...CONNECTED, ...lost, ...CONNECTED.slice(1)]);
    expect([notices, endpoint.reconnects]).toEqual([['connected', 'lost', 'connected again'], 1]);
    expect([alice.connections.length, ends(room)]).toEqual([1, 1]);
    expect(alice.requests.find(({ type }) => type === 'endpoint_release')?.payload).toMatchObject({
      endpoint_id: former,
    });
    expect(endpoint.id).not.toBe(former);
  });

  test('EP-14: each loss releases the endpoint of the pass before it, once', async () => {
    const { room, alice, endpoint } = await scene();
    endpoint.begin();
    const ids: string[] = [];
    for (let losses = 0; losses < 3; losses += 1) {
      await room.pass(7_000);
      ids.push(endpoint.id);
      alice.connections[0]?.ice('failed', 'failed');
    }
    await room.pass(7_000);
    const released = alice.requests.flatMap(({ type, payload }) =>
      type === 'endpoint_release' ? [payload['endpoint_id']] : [],
    );
    expect([released, endpoint.reconnects, ends(room)]).toEqual([ids, 3, 1]);
  });

  test('EP-07: a loss that heals in time is none', async () => {
    const { room, alice, endpoint, notices } = await scene();
    endpoint.begin();
    await room.pass(1_000);
    room.cut(alice);
    await room.pass(12_000);
    room.restore(alice);
    await room.pass(30_000);
    expect([endpoint.state, notices, endpoint.reconnects]).toEqual(['connected', ['connected'], 0]);
    expect(alice.errors).toEqual([]);
  });

  test.each([
    ['of its connection', 'endpoint_connected', 'master'],
    ['of an attach', 'endpoint_attach', 'viewer'],
  ] as const)(
    'EP-06: connects again when the exchange does not know it at the report %s',
    async (_what, type, role) => {
      const { room, alice, bob, endpoint } = await scene(role);
      alice.next(type, UNKNOWN);
      endpoint.begin();
      if (role === 'viewer') endpoint.attach(bob.participantId);
      await room.pass(8_000);
      expect([endpoint.state, endpoint.reconnects, alice.timesOf(type).length]).toEqual(['connected', 1, 2]);
    },
  );
});

describe('an attach', () => {
  test('EP-13: waits for the establishment, also that of another pass', async () => {
    const { room, alice, bob, endpoint, notices } = await scene('viewer');
    endpoint.attach(bob.participantId);
    endpoint.begin();
    endpoint.attach(bob.participantId);
    expect(alice.timesOf('endpoint_attach')).toEqual([]);
    await room.pass(1_000);
    expect([alice.timesOf('endpoint_attach').length, alice.gets('audio')]).toEqual([1, ['bob']]);
    expect(notices).toEqual(['received', 'connected', 'started']);
    room.cut(alice);
    await room.pass(18_000);
    expect(endpoint.state).toBe('reconnecting');
    room.restore(alice);
    await room.pass(7_000);
    expect([alice.timesOf('endpoint_attach').length, alice.gets('audio')]).toEqual([2, ['bob']]);
    expect(notices.slice(3)).toEqual(['lost', 'received', 'connected again', 'started']);
  });

  test('EP-13: of a connected endpoint is sent at once', async () => {
    const { room, alice, bob, endpoint, notices } = await scene('viewer');
    endpoint.begin();
    await room.pass(1_000);
    expect(notices).toEqual(['received', 'connected']);
    endpoint.attach(bob.participantId);
    expect(alice.timesOf('endpoint_attach')).toEqual([room.now]);
    await room.pass(100);
    expect([notices.slice(2), alice.gets('audio')]).toEqual([['started'], ['bob']]);
  });

  test('EP-15: is sent 8 times, the first retry after 5000 ms and each later one 1000 ms later, by each pass', async () => {
    const { room, alice, bob, endpoint, notices } = await scene('viewer');
    alice.next('endpoint_attach', ...Array.from({ length: 16 }, () => CANNOT_ATTACH));
    endpoint.begin();
    endpoint.attach(bob.participantId);
    await room.pass(60_000);
    // A refusal takes 5 ms.
    const waits = [5, 6, 7, 8, 9, 10, 11].map((seconds) => seconds * 1_000 + 5);
    expect(gaps(alice.timesOf('endpoint_attach'))).toEqual(waits);
    expect(notices).toEqual(['received', 'connected', `failed ${CANNOT_RECEIVE}`, 'lost']);
    await room.pass(60_000);
    expect(gaps(alice.timesOf('endpoint_attach').slice(8))).toEqual(waits);
    await room.pass(10_000);
    expect(notices.slice(4)).toEqual(['received', 'connected again', 'lost', 'received', 'connected again', 'started']);
    expect(alice.gets('audio')).toEqual(['bob']);
  });

  test('EP-15: is not retried after the end of its endpoint', async () => {
    const { room, alice, bob, endpoint } = await scene('viewer');
    alice.next('endpoint_attach', CANNOT_ATTACH);
    endpoint.begin();
    endpoint.attach(bob.participantId);
    await room.pass(3_000);
    expect(alice.timers.running().length).toBe(1);
    endpoint.exit();
    expect(alice.timers.running()).toEqual([]);
  });

  test('EP-15: succeeds when the other participant sends at last', async () => {
    const { room, alice, endpoint, notices } = await scene('viewer');
    const carol = room.stay('carol');
    await room.join(carol);
    endpoint.begin();
    endpoint.attach(carol.participantId);
    await room.pass(7_000);
    expect([alice.timesOf('endpoint_attach').length, notices]).toEqual([2, ['received', 'connected']]);
    carol.startMedia();
    await room.pass(6_000);
    expect([alice.timesOf('endpoint_attach').length, alice.gets('audio')]).toEqual([3, ['carol']]);
    expect(notices).toEqual(['received', 'connected', 'started']);
  });
});

const MOMENTS = ['idle', 'offering', 'established', 'connected', 'reconnecting'] as const;

/** Brings an endpoint into a state. */
async function bring(state: (typeof MOMENTS)[number], { room, alice, endpoint }: Awaited<ReturnType<typeof scene>>) {
  if (state === 'reconnecting') alice.next('endpoint_create', 'reply lost');
  if (state !== 'idle') endpoint.begin();
  await room.pass({ idle: 0, offering: 3, established: 15, connected: 1_000, reconnecting: 60_100 }[state]);
  expect(endpoint.state).toBe(state);
}

describe('the end of an endpoint', () => {
  test.each(MOMENTS)('EP-11: a release in %s closes it here and at the exchange', async (state) => {
    const made = await scene();
    const { room, alice, endpoint, notices } = made;
    await bring(state, made);
    endpoint.release();
    expect([endpoint.state, alice.connections]).toEqual(['releasing', []]);
    endpoint.release();
    await room.pass(100);
    expect([endpoint.state, notices.at(-1), ends(room)]).toEqual(['closed', 'closed', 0]);
    expect(alice.timers.running()).toEqual([]);
    expect(alice.states.slice(-2)).toEqual([`${state} -> releasing`, 'releasing -> closed']);
    const requests = alice.requests.length;
    await room.pass(120_000);
    expect([alice.requests.length, alice.errors.filter((line) => !line.includes('offering'))]).toEqual([requests, []]);
  });

  test.each([
    ['EP-12', 'exit', 'lost'],
    ['EP-12', 'exit', 'failed'],
    ['EP-11', 'release', 'lost'],
  ] as const)('%s: its %s in the report that it is %s is no error', async (_id, way, report) => {
    const made: Awaited<ReturnType<typeof scene>> = await scene('master', { [report]: () => made.endpoint[way]() });
    const { room, alice, endpoint, notices } = made;
    if (report === 'failed') alice.next('endpoint_create', CANNOT_ATTACH);
    endpoint.begin();
    await room.pass(1_000);
    if (report === 'lost') room.cut(alice);
    await room.pass(20_000);
    expect([endpoint.state, notices.at(-1)]).toEqual(['closed', 'closed']);
    expect(alice.errors.filter((line) => line.includes('not allowed'))).toEqual([]);
  });

  test('EP-11: a release that the exchange does not acknowledge closes it all the same', async () => {
    const { room, alice, endpoint } = await scene();
    endpoint.begin();
    await room.pass(1_000);
    alice.next('endpoint_release', 'lost');
    endpoint.release();
    await room.pass(59_000);
    expect(endpoint.state).toBe('releasing');
    await room.pass(2_000);
    expect(endpoint.state).toBe('closed');
  });

  test.each([...MOMENTS, 'releasing'] as const)('EP-12: an exit in %s closes it at once', async (state) => {
    const made = await scene();
    const { room, alice, endpoint, notices } = made;
    await bring(state === 'releasing' ? 'connected' : state, made);
    if (state === 'releasing') {
      alice.next('endpoint_release', 'lost');
      endpoint.release();
    }
    const requests = alice.requests.length;
    endpoint.exit();
    endpoint.exit();
    expect([endpoint.state, alice.connections, notices.at(-1)]).toEqual(['closed', [], 'closed']);
    expect(alice.timers.running()).toEqual([]);
    await room.pass(120_000);
    expect([alice.requests.length, alice.states.at(-1)]).toEqual([requests, `${state} -> closed`]);
  });
});
