/** The library's endpoints in rooms whose media is on Janus: what they see when a server ends, and when it is back. */
import { afterEach, describe, expect, test } from 'vitest';
import { createMeasuredView, type MeasuredView } from '../../cli/headless/measured-view.ts';
import { createWrtcPlatform } from '../../cli/headless/platform/wrtc-platform.ts';
import type { LogEntry } from '../../sim/exchange/ports.ts';
import { type Sim, startSim } from '../../sim/server/start-sim.ts';
import { createClient } from '../../src/calls/client/client.ts';
import { loadedParts } from '../../src/calls/client/loaded-parts.ts';
import type { RemoteParticipant } from '../../src/calls/room/participant.ts';
import type { Room } from '../../src/calls/room/room.ts';
import { DEFAULT_APP_ID } from '../../sim/server/defaults.ts';
import { ErrorCode } from '../../src/protocol/errors.ts';
import { scaled } from '../../tools/run/machine-factor.ts';
import { NO_JANUS, serverOf, startJanus, type TestJanus } from './janus-server.ts';

const TONES = { alice: 440, bob: 660 } as const;
type User = keyof typeof TONES;

/** A client of the library in a room, which publishes a tone and moving bars, and measures what it receives. */
interface Visitor {
  readonly room: Room;
  /** The moves of its endpoints, oldest first, as `master connected > disconnected`. */
  readonly moves: string[];
  readonly events: readonly string[];
  readonly errors: readonly number[];
  /** Returns whether the tone of a user and its moving picture arrived since the last call. */
  receives(user: User): boolean;
  /** Returns the number of the Janus server that carries its newest connection. */
  server(): number;
}

describe.skipIf(NO_JANUS)('rooms of the library on Janus', () => {
  const ended: (() => unknown)[] = [];
  afterEach(async () => {
    for (const end of ended.splice(0).toReversed()) await end();
  });

  async function janusServers(count: number): Promise<TestJanus[]> {
    const servers: TestJanus[] = [];
    for (let number = 0; number < count; number += 1) {
      const server = await startJanus(number);
      ended.push(() => server.dispose());
      servers.push(server);
    }
    return servers;
  }

  async function exchangeWith(servers: readonly TestJanus[]) {
    const lines: string[] = [];
    const log = ({ level, message }: LogEntry) => void lines.push(`${level}: ${message}`);
    const janus = { urls: servers.map(({ url }) => url), secret: null };
    const sim = await startSim({ demo: true, port: 0, janus, log });
    ended.push(() => sim.close());
    return { sim, lines };
  }

  async function enter(sim: Sim, userId: User, roomId?: string): Promise<Visitor> {
    const moves: string[] = [];
    const media = { tone: TONES[userId], width: 160, height: 120, fps: 10 };
    const platform = createWrtcPlatform(media, (_level, line) => {
      const [, role, from, to] = /media endpoint .*"role":"(\w+)","from":"(\w+)","to":"(\w+)"/.exec(line) ?? [];
      if (role !== undefined) moves.push(`${role} ${from} > ${to}`);
    });
    const client = createClient(platform, {
      defaultApiHost: sim.url,
      defaultWebsocketHost: sim.url.replace(/^http/, 'ws'),
      parts: loadedParts(),
      consoleLevel: 'DEBUG',
    });
    client.init(DEFAULT_APP_ID);
    await client.authenticate({ userId });
    await client.connectWebSocket();
    const room = await client.fetchRoomById(
      roomId ?? (await client.createRoom({ roomType: 'small_room_for_video' })).roomId,
    );
    const views = new Map<string, MeasuredView>();
    const watch = (participant: RemoteParticipant) => {
      const view = createMeasuredView(platform.clock);
      ended.push(() => view.stop());
      views.set(participant.user.userId, view);
      void participant.setMediaView(view.element);
    };
    const [events, errors]: [string[], number[]] = [[], []];
    room.on('remoteParticipantEntered', watch);
    room.on('localParticipantDisconnected', () => events.push('disconnected'));
    room.on('localParticipantReconnected', () => events.push('reconnected'));
    room.on('error', ({ code }) => errors.push(code));
    await room.enter({ audioEnabled: true, videoEnabled: true });
    for (const participant of room.remoteParticipants) watch(participant);
    ended.push(() => {
      for (const view of views.values()) view.stop();
      if (room.localParticipant) room.exit();
      client.deauthenticate();
      return platform.requestsSettled();
    });
    return {
      ...{ room, moves, events, errors },
      receives(user) {
        const { heard, seen } = views.get(user)?.turn(platform.clock.now()) ?? {};
        const isHeard = heard?.tones.some(({ frequency }) => Math.abs(frequency - TONES[user]) < 5) ?? false;
        return isHeard && (seen?.frames ?? 0) > 3 && seen?.ok === true;
      },
      server() {
        // The servers of a test have different ports.
        const { sdp = '' } = platform.peerConnection?.remoteDescription ?? {};
        return serverOf(sdp);
      },
    };
  }

  /** Waits until two visitors hear and see each other. */
  async function meet(alice: Visitor, bob: Visitor): Promise<void> {
    const patience = { timeout: scaled(90_000), interval: 1_000 };
    await expect.poll(() => alice.receives('bob'), patience).toBe(true);
    await expect.poll(() => bob.receives('alice'), patience).toBe(true);
  }

  /** The moves of an endpoint from the loss of its connection to the next one. */
  const RECONNECT = [
    'connected > disconnected',
    'disconnected > reconnecting',
    'reconnecting > offering',
    'offering > established',
    'established > connected',
  ];

  test(
    'EP-07 EP-08 EP-09 EP-10 EP-13 EP-14: endpoints of a killed server connect to another one, and media arrives again',
    async () => {
      const servers = await janusServers(2);
      const { sim, lines } = await exchangeWith(servers);
      const alice = await enter(sim, 'alice');
      const bob = await enter(sim, 'bob', alice.room.roomId);
      await meet(alice, bob);
      const before = alice.server();
      expect(bob.server()).toBe(before);
      for (const { moves } of [alice, bob]) moves.length = 0;

      await servers[before]?.kill();
      for (const visitor of [alice, bob]) {
        await expect.poll(() => visitor.events, { timeout: scaled(60_000) }).toEqual(['disconnected', 'reconnected']);
      }
      await meet(alice, bob);
      for (const { moves, server, errors } of [alice, bob]) {
        const of = (role: string) =>
          moves.flatMap((move) => (move.startsWith(role) ? [move.slice(role.length + 1)] : []));
        expect(of('master')).toEqual(RECONNECT);
        expect(of('viewer')).toEqual(RECONNECT);
        expect(server()).toBe(1 - before);
        expect(errors).toEqual([]);
      }
      const participants = [alice, bob].map(({ room }) => room.participants.length);
      expect(participants).toEqual([2, 2]);
      expect(lines.filter((line) => line.includes('the media of a room failed'))).toEqual([]);
    },
    scaled(240_000),
  );

  test(
    'EP-10: without a server endpoints are refused and the room stays; a server that is back has them again',
    async () => {
      const [janus] = await janusServers(1);
      const { sim, lines } = await exchangeWith(janus ? [janus] : []);
      const alice = await enter(sim, 'alice');
      const bob = await enter(sim, 'bob', alice.room.roomId);
      await meet(alice, bob);

      await janus?.kill();
      const refused = ErrorCode.ERR_FAILED_TO_ESTABLISH_CONNECTION_TO_SEND_STREAM;
      for (const visitor of [alice, bob]) {
        await expect.poll(() => visitor.errors, { timeout: scaled(60_000) }).toContain(refused);
        expect(visitor.room.participants).toHaveLength(2);
      }
      expect(lines).toContain('error: the media of a room failed');

      // The same address: the server has none of the former sessions.
      await janus?.restart();
      for (const visitor of [alice, bob]) {
        await expect.poll(() => visitor.events, { timeout: scaled(90_000) }).toEqual(['disconnected', 'reconnected']);
      }
      await meet(alice, bob);
      expect(lines).toContain('info: Janus server 1 of 1 (JANUS_URL) answers again');
    },
    scaled(240_000),
  );
});
