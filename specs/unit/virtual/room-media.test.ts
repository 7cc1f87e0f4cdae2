/** The media of rooms in virtual time: paths that lose or delay it, its counters, and the server of a virtual world. */
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { VirtualCluster } from '../../../sim/scenario/virtual/virtual-cluster.ts';
import type { MediaDirection } from '../../../src/protocol/room-entities.ts';
import { loginAnswer } from '../../../src/protocol/http.ts';
import { packSdp } from '../../../src/protocol/sdp-codec.ts';
import type { VirtualPeerConnection } from '../../../sim/virtual/peer-connection.ts';
import { VirtualRoomMediaEngine } from '../../../sim/virtual/room-media.ts';
import { createWorld } from '../../../sim/virtual/world.ts';
import { ScriptedExchange } from './scripted-exchange.ts';

/** A room for sound, whose participants `alice`, `bob` and `carol` can have an endpoint each. */
function room() {
  const world = createWorld({ seed: 1, exchange: () => new ScriptedExchange() });
  const media = new VirtualRoomMediaEngine(world.mediaServer('sfu')).open();
  return {
    world,
    media,
    async endpoint(name: string, audio: MediaDirection): Promise<VirtualPeerConnection> {
      const { rtc, devices } = world.platform(name);
      const connection = rtc.createPeerConnection({});
      connection.addTransceiver(audio === 'recvonly' ? 'audio' : devices.silence(), { direction: audio });
      const { sdp = '' } = await connection.createOffer();
      await connection.setLocalDescription({ type: 'offer', sdp });
      const plan = { endpointId: name, participantId: name, audio, video: 'inactive' } as const;
      await connection.setRemoteDescription({ type: 'answer', sdp: await media.create(plan, sdp) });
      await world.advance(100);
      return connection;
    },
  };
}

/** Returns the packets that arrived and those that were lost. */
async function counted(connection: VirtualPeerConnection): Promise<{ received: number; lost: number }> {
  const counts = { received: 0, lost: 0 };
  (await connection.getStats()).forEach((entry: Record<string, unknown>) => {
    if (entry['type'] !== 'inbound-rtp') return;
    counts.received += Number(entry['packetsReceived']);
    counts.lost += Number(entry['packetsLost']);
  });
  return counts;
}

const heardBy = (connection: VirtualPeerConnection) => connection.arriving('audio').map(({ from }) => from);

describe('a master and its viewer', () => {
  test('are counted only while they are attached, also between two readings', async () => {
    const { world, media, endpoint } = room();
    await endpoint('alice', 'sendonly');
    const bob = await endpoint('bob', 'recvonly');
    await world.advance(10_000);
    media.attach('bob', 'alice');
    await world.advance(2_000);
    media.detach('bob', 'alice');
    await world.advance(10_000);
    expect(await counted(bob)).toEqual({ received: 100, lost: 0 });
    media.attach('bob', 'alice');
    await world.advance(2_000);
    media.release('alice');
    await world.advance(1_000);
    expect(await counted(bob)).toEqual({ received: 200, lost: 0 });
  });

  test('lose packets on both paths', async () => {
    const { world, media, endpoint } = room();
    await endpoint('alice', 'sendonly');
    const bob = await endpoint('bob', 'recvonly');
    world.media.setQuality('alice', 'sfu', { lossRate: 0.5 });
    world.media.setQuality('bob', 'sfu', { lossRate: 0.2 });
    media.attach('bob', 'alice');
    await world.advance(10_000);
    expect(await counted(bob)).toEqual({ received: 200, lost: 300 });
    expect(bob.arriving('audio').map(({ lostIn }) => lostIn())).toEqual([0.6]);
  });

  test('are apart while the path of one is cut, and the path of the other stays connected', async () => {
    const { world, media, endpoint } = room();
    const alice = await endpoint('alice', 'sendonly');
    const bob = await endpoint('bob', 'recvonly');
    media.attach('bob', 'alice');
    expect(heardBy(bob)).toEqual(['alice']);
    world.media.cut('alice', 'sfu');
    expect(heardBy(bob)).toEqual([]);
    await world.advance(8_000);
    expect([alice.connectionState, bob.connectionState]).toEqual(['disconnected', 'connected']);
    expect((await counted(bob)).received).toBe(0);
    world.media.restore('alice', 'sfu');
    await world.advance(1_000);
    expect(heardBy(bob)).toEqual(['alice']);
    world.media.cutDevice('bob');
    expect(heardBy(bob)).toEqual([]);
  });
});

describe('a mix', () => {
  test('has every packet while a source loses some, and none while there is no source', async () => {
    const { world, endpoint } = room();
    const alice = await endpoint('alice', 'sendrecv');
    await world.advance(10_000);
    expect(await counted(alice)).toEqual({ received: 0, lost: 0 });
    await endpoint('bob', 'sendrecv');
    world.media.setQuality('bob', 'sfu', { lossRate: 0.5 });
    const before = (await counted(alice)).received;
    await world.advance(10_000);
    expect(await counted(alice)).toEqual({ received: before + 500, lost: 0 });
    expect(alice.arriving('audio').map(({ from, lostIn }) => [from, lostIn()])).toEqual([['bob', 0.5]]);
  });
});

describe('the server of a virtual world', () => {
  /** A server with a room, and the answer to an offer for an endpoint of alice. */
  async function serverWithEndpoint() {
    const world = createWorld({
      seed: 1,
      exchange: (clock, mediaServer) =>
        new VirtualCluster({ world: clock, seed: 1, nodes: 1, users: ['alice'], mediaServer: mediaServer('sfu') }),
    });
    await world.settle();
    const post = async (path: string, body: unknown, token = '') => {
      const headers = { 'x-client-id': 'alice-1', 'x-session-token': token };
      const request = { method: 'POST', path, query: {}, headers, address: '192.0.2.1', body };
      const answer = await world.exchange.http(request);
      expect([path, answer.status, answer.body]).toMatchObject([path, 200, {}]);
      return answer.body;
    };
    const login = await post('/v1/users/alice/login', { app_id: 'ringback-demo', user_id: 'alice' });
    const token = v.parse(loginAnswer, login).sbcall_session_token;
    const made = await post('/v1/rooms', { type: 'large_room_for_audio_only' }, token);
    const { room_id } = v.parse(v.object({ room: v.object({ room_id: v.string() }) }), made).room;
    const entered = await post(`/v1/rooms/${room_id}/participants`, { is_audio_on: true, is_video_on: false }, token);
    const { participant_id } = v.parse(v.object({ me: v.object({ participant_id: v.string() }) }), entered).me;
    const connection = world.platform('alice').rtc.createPeerConnection({});
    connection.addTransceiver('audio', { direction: 'sendrecv' });
    const { sdp = '' } = await connection.createOffer();
    await post(
      `/v1/rooms/${room_id}/participants/${participant_id}/endpoints`,
      { sdp: packSdp(sdp), audio_attr: 'sendrecv', video_attr: 'inactive' },
      token,
    );
    connection.close();
    return world;
  }
  const ends = (lines: readonly string[]) => lines.filter((line) => line.startsWith('sfu'));

  test('is the far end of an endpoint, until it stops', async () => {
    const world = await serverWithEndpoint();
    expect(ends(world.leftovers())).toEqual(['sfu: 1 peer connections']);
    world.exchange.stop();
    expect(ends(world.leftovers())).toEqual([]);
  });

  test('loses its endpoints when it is killed', async () => {
    const world = await serverWithEndpoint();
    world.exchange.kill();
    expect(ends(world.leftovers())).toEqual([]);
  });
});
