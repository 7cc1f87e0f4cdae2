/** The media of rooms on the engine of the exchange's process: the contract, and what only real packets show. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RTCPeerConnection as WeriftConnection, RtpHeader } from 'werift';
import { Log } from '../../sim/exchange/logging/log.ts';
import type { RoomMedia } from '../../sim/exchange/rooms/room-media.ts';
import { createPathProxy, type PathProxy } from '../../sim/media/path-proxy.ts';
import { PACKET_RATES } from '../../sim/budgets/media-budgets.ts';
import { Sfu } from '../../sim/media/sfu/sfu.ts';
import { nodeClock, nodeRandom } from '../../sim/server/node-ports.ts';
import type { RtcPeerConnection } from '../../src/calls/platform/rtc.ts';
import type { RoomType } from '../../src/protocol/room-entities.ts';
import { setPatience } from '../contract/ports/contract.ts';
import { roomMediaContract } from '../contract/room-media/room-media.contract.ts';
import { machineFactor, scaled } from '../../tools/run/machine-factor.ts';
import { roomDevices } from './room-devices.ts';

setPatience(machineFactor());
const pass = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

const warnings: string[] = [];
const log = new Log(({ message, fields }) => warnings.push(`${message} ${JSON.stringify(fields)}`), nodeClock);
const engine = new Sfu({ clock: nodeClock, log });
const device = roomDevices();
afterAll(() => engine.close());

describe('contract of the media of rooms, SFU', () => {
  for (const { title, run } of roomMediaContract) {
    test(title, () => run({ engine, device: roomDevices(), pass }));
  }
});

const SENDS = { audio: 'sendonly', video: 'sendonly' } as const;
const VIEWS = { audio: 'recvonly', video: 'recvonly' } as const;
const MIXES = { audio: 'sendrecv', video: 'inactive' } as const;
type Plan = typeof SENDS | typeof VIEWS | typeof MIXES;

let rooms = 0;

/** A room whose devices end with the test. */
class TestRoom {
  readonly media: RoomMedia;
  /** The endpoints that the engine has closed by itself. */
  readonly closed: string[] = [];
  readonly #ends: (() => void)[] = [];

  constructor(type: RoomType = 'small_room_for_video', of = engine) {
    rooms += 1;
    this.media = of.open(`room-${rooms}`, type, (endpointId) => this.closed.push(endpointId));
  }

  async endpoint(name: string, endpointId: string, plan: Plan, path?: PathProxy): Promise<RtcPeerConnection> {
    const { rtc, track } = device(name);
    const connection = rtc.createPeerConnection({});
    this.#ends.push(() => connection.close());
    for (const kind of ['audio', 'video'] as const) {
      const direction = plan[kind];
      if (direction === 'inactive') continue;
      const source = direction === 'recvonly' ? kind : track(kind);
      if (typeof source !== 'string') this.#ends.push(() => source.stop());
      connection.addTransceiver(source, { direction });
    }
    await this.negotiated(
      connection,
      (sdp) => this.media.create({ endpointId, participantId: name, ...plan }, sdp),
      path,
    );
    await expect.poll(() => connection.connectionState, { timeout: scaled(15_000) }).toBe('connected');
    return connection;
  }

  async negotiated(connection: RtcPeerConnection, request: (sdp: string) => Promise<string>, path?: PathProxy) {
    const offer = await connection.createOffer();
    await connection.setLocalDescription(offer);
    const answer = await request(offer.sdp ?? '');
    await connection.setRemoteDescription({ type: 'answer', sdp: path ? await through(path, answer) : answer });
  }

  /** Waits until exactly these arrive. */
  async gets(name: string, connection: RtcPeerConnection, audio: string, video: string): Promise<void> {
    const arriving = () =>
      (['audio', 'video'] as const).map((kind) => [...device(name).arriving(connection, kind)].sort().join(' '));
    await expect.poll(arriving, { timeout: scaled(10_000) }).toEqual([audio, video]);
  }

  /** Connects a client that sends whatever a test wants. */
  async mallory(endpointId: string): Promise<WeriftConnection> {
    const connection = new WeriftConnection({ iceServers: [], iceAdditionalHostAddresses: ['127.0.0.1'] });
    this.#ends.push(() => void connection.close());
    for (const kind of ['audio', 'video'] as const) connection.addTransceiver(kind, { direction: 'sendonly' });
    await connection.setLocalDescription(await connection.createOffer());
    const sdp = connection.localDescription?.sdp ?? '';
    const answer = await this.media.create({ endpointId, participantId: 'mallory', ...SENDS }, sdp);
    await connection.setRemoteDescription({ type: 'answer', sdp: answer });
    await expect.poll(() => connection.connectionState, { timeout: scaled(15_000) }).toBe('connected');
    return connection;
  }

  end(): void {
    for (const end of this.#ends.toReversed()) end();
    this.media.close();
  }
}

/** Sends the media of a client along a path: its answer names the path in place of the server. */
async function through(path: PathProxy, answer: string): Promise<string> {
  const lines = answer.split('\r\n').map(async (line) => {
    if (!line.startsWith('a=candidate:')) return line;
    const redirected = await path.rewriteCandidate(line.slice(2), 'caller');
    return redirected === null ? null : `a=${redirected}`;
  });
  return (await Promise.all(lines)).filter((line) => line !== null).join('\r\n');
}

async function inRoom(run: (room: TestRoom) => Promise<void>, type?: RoomType, of?: Sfu): Promise<void> {
  const room = new TestRoom(type, of);
  try {
    await run(room);
  } finally {
    room.end();
  }
}

async function figure(connection: RtcPeerConnection, type: string, counter: string): Promise<number> {
  let sum = 0;
  (await connection.getStats()).forEach((entry: Record<string, unknown>) => {
    if (entry['type'] === type && entry['kind'] === 'video' && typeof entry[counter] === 'number')
      sum += entry[counter];
  });
  return sum;
}

/** The time in which a browser would send a key frame without a request: none, unless it is asked. */
const SOON_MS = 2_000;

describe('real packets', () => {
  test('a viewer that comes late sees the picture at once, because the master is asked for a key frame', () =>
    inRoom(async (room) => {
      const alice = await room.endpoint('alice', 'a', SENDS);
      await expect
        .poll(() => figure(alice, 'outbound-rtp', 'framesEncoded'), { timeout: scaled(10_000) })
        .toBeGreaterThan(20);
      const before = await figure(alice, 'outbound-rtp', 'keyFramesEncoded');
      const bob = await room.endpoint('bob', 'b', VIEWS);
      const from = performance.now();
      room.media.attach('b', 'a');
      await room.gets('bob', bob, 'alice', 'alice');
      expect(performance.now() - from).toBeLessThan(scaled(SOON_MS));
      expect(await figure(alice, 'outbound-rtp', 'keyFramesEncoded')).toBeGreaterThan(before);
    }));

  test('packets that are lost on either path are repeated, and the picture goes on', () =>
    inRoom(async (room) => {
      const [up, down] = [0, 1].map(() => createPathProxy({ clock: nodeClock, random: nodeRandom })) as [
        PathProxy,
        PathProxy,
      ];
      try {
        const alice = await room.endpoint('alice', 'a', SENDS, up);
        const bob = await room.endpoint('bob', 'b', VIEWS, down);
        room.media.attach('b', 'a');
        await room.gets('bob', bob, 'alice', 'alice');
        const lossy = { lossRate: 0.1, rttMs: 20, jitterMs: 0 };
        up.setQuality(lossy);
        down.setQuality(lossy);
        await expect
          .poll(() => figure(bob, 'inbound-rtp', 'nackCount'), { timeout: scaled(20_000) })
          .toBeGreaterThan(2);
        await expect
          .poll(() => figure(alice, 'outbound-rtp', 'nackCount'), { timeout: scaled(20_000) })
          .toBeGreaterThan(2);
        const before = await figure(bob, 'inbound-rtp', 'framesDecoded');
        const frames = async () => (await figure(bob, 'inbound-rtp', 'framesDecoded')) - before;
        await expect.poll(frames, { timeout: scaled(10_000) }).toBeGreaterThan(30);
      } finally {
        up.dispose();
        down.dispose();
      }
    }));

  test('a viewer that negotiates inactive gets no packet, until it negotiates recvonly again', () =>
    inRoom(async (room) => {
      await room.endpoint('alice', 'a', SENDS);
      const bob = await room.endpoint('bob', 'b', VIEWS);
      room.media.attach('b', 'a');
      await room.gets('bob', bob, 'alice', 'alice');
      const video = bob.getTransceivers()[1];
      if (!video) throw new Error('the viewer has no section of video');
      video.direction = 'inactive';
      await room.negotiated(bob, (sdp) => room.media.negotiate('b', sdp));
      expect(video.currentDirection).toBe('inactive');
      await room.gets('bob', bob, 'alice', '');
      video.direction = 'recvonly';
      await room.negotiated(bob, (sdp) => room.media.negotiate('b', sdp));
      // A sink of wrtc shows no picture of a receiver that was inactive. The statistics of the new stream do.
      await expect
        .poll(() => figure(bob, 'inbound-rtp', 'framesDecoded'), { timeout: scaled(10_000) })
        .toBeGreaterThan(10);
    }));

  test('each of six participants sees a picture of each other one', () =>
    inRoom(async (room) => {
      const names = ['alice', 'bob', 'carol', 'dave', 'erin', 'frank'];
      for (const name of names) await room.endpoint(name, name, SENDS);
      const views: [string, string, RtcPeerConnection][] = [];
      for (const name of names) {
        for (const other of names) {
          if (other === name) continue;
          const view = await room.endpoint(name, `${name}-of-${other}`, VIEWS);
          room.media.attach(`${name}-of-${other}`, other);
          views.push([name, other, view]);
        }
      }
      for (const [name, other, view] of views) await room.gets(name, view, other, other);
    }));

  test('a mixer that dies is started again, and the participants stay connected', () =>
    inRoom(async (room) => {
      const alice = await room.endpoint('alice', 'a', MIXES);
      const bob = await room.endpoint('bob', 'b', MIXES);
      await room.gets('alice', alice, 'bob', '');
      await room.gets('bob', bob, 'alice', '');
      const { pid } = engine.mixer;
      if (pid === null) throw new Error('no mixer runs');
      process.kill(pid, 'SIGKILL');
      await room.gets('alice', alice, '', '');
      await room.gets('alice', alice, 'bob', '');
      await room.gets('bob', bob, 'alice', '');
      expect(engine.mixer.pid).not.toBe(pid);
      expect([alice.connectionState, bob.connectionState]).toEqual(['connected', 'connected']);
    }, 'large_room_for_audio_only'));
});

describe('a hostile client', () => {
  /** Runs an attack beside a call of others, and checks that only the attacker loses its endpoint. */
  const attacked = (
    why: string,
    attack: (mallory: WeriftConnection, aliceSsrc: number) => Promise<void>,
    of = engine,
  ) =>
    inRoom(
      async (room) => {
        const alice = await room.endpoint('alice', 'a', SENDS);
        const bob = await room.endpoint('bob', 'b', VIEWS);
        room.media.attach('b', 'a');
        await room.gets('bob', bob, 'alice', 'alice');
        warnings.length = 0;
        const ssrc = await figure(alice, 'outbound-rtp', 'ssrc');
        await attack(await room.mallory('mallory'), ssrc);
        await expect.poll(() => warnings.join(' '), { timeout: scaled(20_000) }).toContain(why);
        expect(warnings.join(' ')).not.toMatch(/\d+\.\d+\.\d+\.\d+/);
        expect(room.closed).toEqual(['mallory']);
        const { sdp = '' } = await alice.createOffer();
        await expect(room.media.negotiate('mallory', sdp)).rejects.toMatchObject({
          name: 'ERR_INVALID_ROOM_PARTICIPANT',
        });
        const before = await figure(bob, 'inbound-rtp', 'framesDecoded');
        const frames = async () => (await figure(bob, 'inbound-rtp', 'framesDecoded')) - before;
        await expect.poll(frames, { timeout: scaled(10_000) }).toBeGreaterThan(10);
        await room.gets('bob', bob, 'alice', 'alice');
      },
      undefined,
      of,
    );

  /** Sends packets in bursts, so that the socket accepts them. */
  async function send(mallory: WeriftConnection, count: number, header: (at: number) => RtpHeader): Promise<void> {
    const [transport] = mallory.dtlsTransports;
    for (let at = 0; at < count; at += 1) {
      await transport?.sendRtp(Buffer.alloc(100), header(at));
      if (at % 50 === 49) await pass(1);
    }
  }

  const ownHeader = (mallory: WeriftConnection, at: number, more: Partial<RtpHeader> = {}) => {
    const [, video] = mallory.getTransceivers();
    return new RtpHeader({
      payloadType: video?.sender.codec?.payloadType ?? 96,
      ssrc: video?.sender.ssrc ?? 0,
      sequenceNumber: at & 0xffff,
      timestamp: at,
      ...more,
    });
  };

  test('that sends with the source of another participant loses its endpoint, and nothing of it is forwarded', () =>
    attacked('malformed packets', (mallory, ssrc) => send(mallory, 400, (at) => ownHeader(mallory, at, { ssrc }))));

  test('that sends oversized header extensions loses its endpoint', () =>
    attacked('malformed packets', (mallory) => {
      const extensions = Array.from({ length: 14 }, (_, id) => ({ id: id + 1, payload: Buffer.alloc(60) }));
      return send(mallory, 400, (at) =>
        ownHeader(mallory, at, { extension: true, extensionProfile: 0x1000, extensions }),
      );
    }));

  test('that floods loses its endpoint', async () => {
    // A busy machine cannot send as much as the default budget permits.
    const packets = { perSecond: 300, burst: 600 };
    const strict = new Sfu({ clock: nodeClock, log, budget: { ...PACKET_RATES, packets } });
    try {
      await attacked('too many packets', (mallory) => send(mallory, 6_000, (at) => ownHeader(mallory, at)), strict);
    } finally {
      strict.close();
    }
  });
});

describe('the addresses of endpoints', () => {
  let small: Sfu;
  beforeAll(() => {
    small = new Sfu({
      clock: nodeClock,
      log,
      udp: { addresses: ['127.0.0.1', '203.0.113.7'], ports: [47_310, 47_311] },
    });
  });
  afterAll(() => small.close());

  test('are those of the settings, within the range of ports, and an endpoint without a port is refused', async () => {
    const room = small.open('room', 'small_room_for_video');
    const connection = device('alice').rtc.createPeerConnection({});
    connection.addTransceiver('audio', { direction: 'recvonly' });
    const { sdp = '' } = await connection.createOffer();
    const create = (endpointId: string) => room.create({ endpointId, participantId: 'p', ...VIEWS }, sdp);
    const answers = [await create('a'), await create('b')];
    const candidates = answers.map((answer) =>
      [...answer.matchAll(/udp \d+ (\S+) (\d+) typ host/g)].map(([, ...found]) => found.join(':')),
    );
    expect(candidates.map((one) => one.map((place) => place.split(':')[0]))).toEqual(
      Array.from({ length: 2 }, () => ['127.0.0.1', '203.0.113.7']),
    );
    expect(
      candidates
        .flat()
        .map((place) => Number(place.split(':')[1]))
        .toSorted((one, other) => one - other),
    ).toEqual([47_310, 47_310, 47_311, 47_311]);
    await expect(create('c')).rejects.toMatchObject({ name: 'ERR_SERVER_INTERNAL_ERROR' });
    room.release('a');
    await expect(create('c')).resolves.toContain('203.0.113.7');
    connection.close();
  });
});
