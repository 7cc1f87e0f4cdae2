/** The media of rooms on Janus: the contract, and what happens when a server ends, hangs or comes back. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { LogEntry } from '../../sim/exchange/ports.ts';
import type { EndpointPlan, RoomMedia } from '../../sim/exchange/rooms/room-media.ts';
import { Log } from '../../sim/exchange/logging/log.ts';
import { type JanusOptions, JanusRoomMediaEngine } from '../../sim/media/janus/engine.ts';
import { nodeClock } from '../../sim/server/node-ports.ts';
import { startSim } from '../../sim/server/start-sim.ts';
import type { RtcPeerConnection } from '../../src/calls/platform/rtc.ts';
import { packSdp, unpackSdp } from '../../src/protocol/sdp-codec.ts';
import { machineFactor, scaled } from '../../tools/run/machine-factor.ts';
import { answerOf, json, Terminal } from '../contract/exchange/terminals.ts';
import { setPatience } from '../contract/ports/contract.ts';
import { type RoomDevice, roomMediaContract } from '../contract/room-media/room-media.contract.ts';
import { NO_JANUS, serverOf, startJanus, type TestJanus } from './janus-server.ts';
import { roomDevices } from './room-devices.ts';

setPatience(machineFactor());
const pass = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Starts an engine, whose log is kept. */
async function engineOf(servers: readonly TestJanus[], more: Partial<JanusOptions> = {}) {
  const entries: LogEntry[] = [];
  const log = new Log((entry) => entries.push(entry), nodeClock);
  const urls = servers.map(({ url }) => url);
  const engine = new JanusRoomMediaEngine({ urls, secret: null, owner: 'test', clock: nodeClock, log, ...more });
  await engine.start();
  return { engine, lines: () => entries.map(({ level, message }) => `${level}: ${message}`) };
}

describe.skipIf(NO_JANUS)('contract of the media of rooms, Janus', () => {
  let janus: TestJanus;
  let engine: JanusRoomMediaEngine;
  let lines: () => string[];

  beforeAll(async () => {
    janus = await startJanus();
    ({ engine, lines } = await engineOf([janus]));
  });
  afterAll(async () => {
    engine?.close();
    await janus?.dispose();
  });
  // Every request of the contract that Janus refuses would be in the log.
  afterEach(() => expect(lines()).toEqual([]));

  for (const { title, run } of roomMediaContract) {
    test(title, () => run({ engine, device: roomDevices(), pass }));
  }
});

const SENDS = { audio: 'sendonly', video: 'sendonly' } as const;
const VIEWS = { audio: 'recvonly', video: 'recvonly' } as const;
const KINDS = ['audio', 'video'] as const;

describe.skipIf(NO_JANUS)('servers of Janus', () => {
  const ended: (() => unknown)[] = [];
  const ending = <T>(made: T, end: (made: T) => unknown): T => {
    ended.push(() => end(made));
    return made;
  };
  afterEach(async () => {
    for (const end of ended.splice(0).toReversed()) await end();
  });

  const server = async (number: number, secret?: string) =>
    ending(await startJanus(number, secret), (one) => one.dispose());
  const engineWith = async (servers: readonly TestJanus[], more?: Partial<JanusOptions>) =>
    ending(await engineOf(servers, more), (made) => made.engine.close());

  /** Makes an endpoint of a device. Returns its connection, and the number of the server that answered. */
  async function endpoint(media: RoomMedia, device: RoomDevice, plan: Omit<EndpointPlan, 'participantId'>) {
    const connection = ending(device.rtc.createPeerConnection({}), (one) => one.close());
    for (const kind of KINDS) {
      const direction = plan[kind];
      const track = direction === 'sendonly' ? ending(device.track(kind), (one) => one.stop()) : kind;
      connection.addTransceiver(track, { direction });
    }
    const offer = await connection.createOffer();
    await connection.setLocalDescription(offer);
    const sdp = await media.create({ ...plan, participantId: plan.endpointId }, offer.sdp ?? '');
    await connection.setRemoteDescription({ type: 'answer', sdp });
    return { connection, at: serverOf(sdp) };
  }
  const connected = (connection: RtcPeerConnection) =>
    expect.poll(() => connection.connectionState, { timeout: scaled(15_000) }).toBe('connected');
  const arrives = (device: RoomDevice, connection: RtcPeerConnection, name: string) =>
    expect
      .poll(() => KINDS.map((kind) => device.arriving(connection, kind)), { timeout: scaled(10_000) })
      .toEqual([[name], [name]]);

  test('a room moves to another server when its server is killed, and rooms use that one again after its restart', async () => {
    const servers = [await server(0), await server(1)];
    const { engine, lines } = await engineWith(servers);
    const device = roomDevices();
    const [alice, bob] = [device('alice'), device('bob')];
    const media = engine.open('room', 'small_room_for_video');
    const before = await endpoint(media, alice, { endpointId: 'a', ...SENDS });
    const view = await endpoint(media, bob, { endpointId: 'b', ...VIEWS });
    media.attach('b', 'a');
    await arrives(bob, view.connection, 'alice');
    expect(view.at).toBe(before.at);

    await servers[before.at]?.kill();
    // The endpoints of a dead server are gone at once. The clients lose their media within seconds.
    await expect.poll(() => lines().filter((line) => line.includes('cannot be used')).length).toBeGreaterThan(0);
    const { sdp = '' } = await view.connection.createOffer();
    await expect(media.negotiate('b', sdp)).rejects.toMatchObject({ name: 'ERR_INVALID_ROOM_PARTICIPANT' });
    await expect
      .poll(() => view.connection.connectionState, { timeout: scaled(20_000) })
      .toMatch(/^(disconnected|failed|closed)$/);

    for (const id of ['a', 'b']) media.release(id);
    const after = await endpoint(media, alice, { endpointId: 'a2', ...SENDS });
    expect(after.at).toBe(1 - before.at);
    const again = await endpoint(media, bob, { endpointId: 'b2', ...VIEWS });
    media.attach('b2', 'a2');
    await arrives(bob, again.connection, 'alice');

    await servers[before.at]?.restart();
    await expect.poll(lines, { timeout: scaled(30_000) }).toContainEqual(expect.stringContaining('answers again'));
    // The restarted server has no endpoints, so the next room is there.
    const next = engine.open('next', 'small_room_for_video');
    expect((await endpoint(next, bob, { endpointId: 'c', ...SENDS })).at).toBe(before.at);
    await arrives(bob, again.connection, 'alice');
    expect(lines()).toEqual([
      `error: Janus server ${before.at + 1} of 2 (JANUS_URL) cannot be used: the socket closed`,
      expect.stringContaining('cannot be used: it cannot be reached (ECONNREFUSED)'),
      `info: Janus server ${before.at + 1} of 2 (JANUS_URL) answers again`,
    ]);
  });

  test('rooms spread by the endpoints of this exchange and by the participants of others that Janus reports', async () => {
    const servers = [await server(0), await server(1)];
    const device = roomDevices();
    const { engine: other } = await engineWith(servers.slice(0, 1), { owner: 'other' });
    const others = other.open('others', 'small_room_for_video');
    for (const id of ['x', 'y']) {
      await connected((await endpoint(others, device(id), { endpointId: id, ...SENDS })).connection);
    }
    const { engine } = await engineWith(servers);
    const places: number[] = [];
    for (const id of ['a', 'b', 'c', 'd']) {
      const room = engine.open(id, 'small_room_for_video');
      places.push((await endpoint(room, device('alice'), { endpointId: id, ...SENDS })).at);
    }
    // Janus also counts the dummy publisher of the other exchange: three participants at the first server.
    expect(places).toEqual([1, 1, 1, expect.any(Number)]);
  });

  test('a server that hangs is left: the request moves to another one, and is refused when there is none', async () => {
    const servers = [await server(0), await server(1)];
    const times = { requestMs: scaled(1_500), aliveMs: scaled(500), keepAliveMs: 60_000 };
    const { engine, lines } = await engineWith(servers, { times });
    const [alice] = [roomDevices()('alice')];
    const media = engine.open('room', 'small_room_for_video');
    const first = await endpoint(media, alice, { endpointId: 'a', ...SENDS });
    servers[first.at]?.freeze(true);
    const second = await endpoint(media, alice, { endpointId: 'b', ...SENDS });
    expect(second.at).toBe(1 - first.at);
    await connected(second.connection);
    servers[second.at]?.freeze(true);
    await expect(endpoint(media, alice, { endpointId: 'c', ...SENDS })).rejects.toMatchObject({
      name: 'ERR_SERVER_INTERNAL_ERROR',
      message: 'The media server does not answer.',
    });
    expect(lines()).toContainEqual(expect.stringMatching(/^error: the media of a room failed/));
    servers[second.at]?.freeze(false);
    await expect.poll(lines, { timeout: scaled(30_000) }).toContainEqual(expect.stringContaining('answers again'));
    await connected((await endpoint(media, alice, { endpointId: 'd', ...SENDS })).connection);
  });

  test('an exchange whose Janus is down refuses endpoints, and makes them once it is up, without a restart', async () => {
    const janus = await server(0);
    await janus.kill();
    const entries: string[] = [];
    const options = { demo: true, port: 0, janus: { urls: [janus.url], secret: null } };
    const log = ({ level, message }: LogEntry) => entries.push(`${level}: ${message}`);
    const sim = ending(await startSim({ ...options, log }), (one) => one.close());
    const down = 'error: Janus server 1 of 1 (JANUS_URL) cannot be used: it cannot be reached (ECONNREFUSED)';
    await expect.poll(() => entries).toContain(down);

    const alice = await Terminal.signIn(sim, 'alice');
    const ask = async (path: string, body: object) =>
      answerOf(await fetch(`${sim.url}/v1/rooms${path}`, json(body, alice.headers)));
    const { room_id } = (await ask('', { type: 'small_room_for_video' })).body.room;
    const entered = await ask(`/${room_id}/participants`, { is_audio_on: true, is_video_on: true });
    const { participant_id } = entered.body.me;
    const connection = ending(roomDevices()('alice').rtc.createPeerConnection({}), (one) => one.close());
    for (const kind of KINDS) connection.addTransceiver(kind, { direction: 'recvonly' });
    const offer = await connection.createOffer();
    await connection.setLocalDescription(offer);
    const create = () =>
      ask(`/${room_id}/participants/${participant_id}/endpoints`, {
        sdp: packSdp(offer.sdp ?? ''),
        audio_attr: 'recvonly',
        video_attr: 'recvonly',
      });
    expect(await create()).toMatchObject({ status: 503, body: { message: 'The media server does not answer.' } });

    await janus.restart();
    await expect
      .poll(() => entries, { timeout: scaled(30_000) })
      .toContainEqual(expect.stringContaining('answers again'));
    const made = await create();
    expect(made.status).toBe(200);
    await connection.setRemoteDescription({ type: 'answer', sdp: unpackSdp(made.body.sdp) });
    await connected(connection);
  });

  test('a room that another client of Janus removes is made again', async () => {
    const janus = await server(0);
    const { engine } = await engineWith([janus]);
    const [alice] = [roomDevices()('alice')];
    const media = engine.open('room', 'small_room_for_video');
    await endpoint(media, alice, { endpointId: 'a', ...SENDS });
    // An exchange with the same name removes what an earlier run of it has left.
    await engineWith([janus]);
    await connected((await endpoint(media, alice, { endpointId: 'b', ...SENDS })).connection);
  });

  test('a wrong secret is reported as a refusal of Janus, and the right one is accepted', async () => {
    const janus = await server(0, 'right');
    const wrong = await engineWith([janus], { secret: 'another' });
    expect(wrong.lines()).toEqual([
      expect.stringMatching(/^error: Janus server 1 of 1 \(JANUS_URL\) cannot be used: /),
    ]);
    expect(wrong.lines().join()).not.toMatch(/another|127\.0\.0\.1/);
    const right = await engineWith([janus], { secret: 'right' });
    expect(right.lines()).toEqual([]);
  });
});
