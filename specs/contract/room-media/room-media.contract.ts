/** The contract of the media of rooms. The far ends of the endpoints are devices, which a driver makes. */
import type { EndpointPlan, RoomMedia, RoomMediaEngine } from '../../../sim/exchange/rooms/room-media.ts';
import type { RtcPeerConnection, RtcPort } from '../../../src/calls/platform/rtc.ts';
import { CallError } from '../../../src/protocol/errors.ts';
import { LIMITS } from '../../../src/protocol/limits.ts';
import type { MediaDirection, RoomType } from '../../../src/protocol/room-entities.ts';
import { check, checkEqual, eventually, rejection, within, type ContractSuite, type Pass } from '../ports/contract.ts';

type Kind = 'audio' | 'video';

/** A device of a participant. Its sound and its picture differ from those of every other device. */
export interface RoomDevice {
  readonly rtc: RtcPort;
  /** Makes a live track with the sound or the picture of this device. */
  track(kind: Kind): MediaStreamTrack;
  /** Returns the names of the devices whose sound or picture arrives at a connection of this device now. */
  arriving(connection: RtcPeerConnection, kind: Kind): readonly string[];
}

export interface RoomMediaSubject {
  readonly engine: RoomMediaEngine;
  /** Returns the device of this name. The same name gives the same device. */
  device(name: string): RoomDevice;
  readonly pass: Pass;
}

/** The time in which media that no longer flows has left every meter. Milliseconds. */
const DRAINED_MS = 1_000;
/** The time in which a connection that has lost its far end has noticed it. Milliseconds. */
const NOTICED_MS = 30_000;

type Directions = Pick<EndpointPlan, Kind>;
const SENDS: Directions = { audio: 'sendonly', video: 'sendonly' };
const VIEWS: Directions = { audio: 'recvonly', video: 'recvonly' };
const MIXES: Directions = { audio: 'sendrecv', video: 'inactive' };
const MIXES_WITH_VIDEO: Directions = { audio: 'sendrecv', video: 'sendonly' };
const VIEWS_VIDEO: Directions = { audio: 'inactive', video: 'recvonly' };

const KINDS = ['audio', 'video'] as const;
const isSending = (direction: MediaDirection) => direction === 'sendrecv' || direction === 'sendonly';

/** One room, and the devices at the far ends of its endpoints. */
class RoomUnderTest {
  readonly media: RoomMedia;
  readonly #subject: RoomMediaSubject;
  readonly #connections = new Set<RtcPeerConnection>();
  readonly #tracks = new Set<MediaStreamTrack>();

  constructor(subject: RoomMediaSubject, type: RoomType, id = 'room-1') {
    this.#subject = subject;
    this.media = subject.engine.open(id, type);
  }

  /** Makes a live track of a device. It ends with the room. */
  track(name: string, kind: Kind): MediaStreamTrack {
    const track = this.#subject.device(name).track(kind);
    this.#tracks.add(track);
    return track;
  }

  /** Makes the connection of a device. Each kind that is not inactive has a section. */
  connection(name: string, directions: Directions): RtcPeerConnection {
    const device = this.#subject.device(name);
    const connection = device.rtc.createPeerConnection({});
    this.#connections.add(connection);
    for (const kind of KINDS) {
      const direction = directions[kind];
      if (direction === 'inactive') continue;
      connection.addTransceiver(isSending(direction) ? this.track(name, kind) : kind, { direction });
    }
    return connection;
  }

  /** Makes an endpoint, and returns its connection. */
  async endpoint(name: string, endpointId: string, directions: Directions): Promise<RtcPeerConnection> {
    const connection = this.connection(name, directions);
    const { sdp = '' } = await this.offer(connection);
    const answer = await this.#settled(
      this.media.create({ endpointId, participantId: `p-${name}`, ...directions }, sdp),
    );
    await connection.setRemoteDescription({ type: 'answer', sdp: answer });
    return connection;
  }

  /** Makes an endpoint, and waits until it is connected. */
  async connected(name: string, endpointId: string, directions: Directions): Promise<Heard> {
    const connection = await this.endpoint(name, endpointId, directions);
    await eventually(
      this.#subject.pass,
      () => connection.connectionState === 'connected',
      `${endpointId} connects`,
      15_000,
    );
    return this.heard(name, connection);
  }

  async offer(connection: RtcPeerConnection, options?: { iceRestart: boolean }): Promise<RTCSessionDescriptionInit> {
    const offer = await this.#settled(connection.createOffer(options));
    await connection.setLocalDescription(offer);
    return offer;
  }

  async negotiate(endpointId: string, connection: RtcPeerConnection, options?: { iceRestart: boolean }) {
    const { sdp = '' } = await this.offer(connection, options);
    const answer = await this.#settled(this.media.negotiate(endpointId, sdp));
    await connection.setRemoteDescription({ type: 'answer', sdp: answer });
    return answer;
  }

  /** Checks that a request is refused with the error of this name. */
  async refused(request: Promise<unknown>, what: string, name = 'ERR_MALFORMED_DATA'): Promise<void> {
    const error = await rejection(this.#settled(request), what);
    checkEqual(error instanceof CallError ? error.name : String(error), name, what);
  }

  heard(name: string, connection: RtcPeerConnection): Heard {
    const { pass } = this.#subject;
    const arriving = () => {
      const device = this.#subject.device(name);
      return KINDS.map((kind) => [...device.arriving(connection, kind)].sort().join(' ')) as [string, string];
    };
    return {
      connection,
      gets: (audio, video) => {
        const isThere = () => arriving()[0] === audio && arriving()[1] === video;
        const promise = `${name} gets the sound of ${audio || 'none'} and the picture of ${video || 'none'}`;
        return eventually(pass, isThere, promise).catch((error: unknown) => {
          throw new Error(`${String(error)}: it gets ${JSON.stringify(arriving())}`, { cause: error });
        });
      },
      stays: async (audio, video) => {
        await pass(DRAINED_MS);
        for (let at = 0; at < 5; at += 1) {
          checkEqual(arriving(), [audio, video], `the sound and the picture at ${name}`);
          await pass(100);
        }
      },
    };
  }

  /** Closes the devices and the room. */
  end(): void {
    for (const connection of this.#connections) connection.close();
    for (const track of this.#tracks) track.stop();
    this.media.close();
  }

  #settled<T>(promise: Promise<T>): Promise<T> {
    return within(this.#subject.pass, promise, 'the request settles');
  }
}

/** The names of the devices that arrive at a connection, joined by spaces. Empty: none. */
interface Heard {
  readonly connection: RtcPeerConnection;
  /** Waits until exactly these arrive. */
  gets(audio: string, video: string): Promise<void>;
  /** Checks that exactly these arrive, once earlier media has left the meters, and afterwards. */
  stays(audio: string, video: string): Promise<void>;
}

type Run = (room: RoomUnderTest, subject: RoomMediaSubject) => Promise<void>;

const inRoom = (type: RoomType, title: string, run: Run) => ({
  title,
  run: async (subject: RoomMediaSubject) => {
    const room = new RoomUnderTest(subject, type);
    try {
      await run(room, subject);
    } finally {
      room.end();
    }
  },
});

/** Offers that are refused, made from a valid one. */
const HOSTILE: Readonly<Record<string, (offer: string) => string>> = {
  'no text': () => '',
  'other text': () => '{"sdp":"v=0"}',
  'no section': (offer) => offer.split(/^(?=m=)/m)[0] ?? '',
  'a section of data': (offer) => offer.replace(/^m=audio /m, 'm=application '),
  'a section without a mid': (offer) => offer.replace(/^a=mid:.*\r\n/m, ''),
  'two sections of a kind': (offer) => {
    const [head = '', audio = ''] = offer.split(/^(?=m=)/m);
    return head + audio + audio.replace(/^a=mid:/m, 'a=mid:again');
  },
  'two sections of each kind': (offer) =>
    offer + offer.slice(offer.indexOf('m=')).replaceAll(/^a=mid:/gm, 'a=mid:again'),
  'two sections with one mid': (offer) => {
    const [head = '', audio = ''] = offer.split(/^(?=m=)/m);
    return head + audio + audio.replace(/^m=audio/m, 'm=video');
  },
  '100 sections': (offer) =>
    offer + Array.from({ length: 100 }, (_, at) => `m=audio 9 UDP/TLS/RTP/SAVPF 111\r\na=mid:x${at}\r\n`).join(''),
  'no credentials of ICE': (offer) => offer.replaceAll(/^a=ice-(ufrag|pwd):.*\r\n/gm, ''),
  'broken lines': (offer) => offer.replace(/^a=mid:.*\r\n/m, 'a=mid:0\rx\r\n'),
  'lines without a carriage return': (offer) => offer.replaceAll('\r\n', '\n'),
  'a weak fingerprint': (offer) => offer.replace(/^a=fingerprint:sha-256 /m, 'a=fingerprint:sha-1 '),
  'no fingerprint': (offer) => offer.replaceAll(/^a=fingerprint:.*\r\n/gm, ''),
  'too much text': (offer) => offer + 'a=x:y\r\n'.repeat(LIMITS.sdpBytes / 7),
};

export const roomMediaContract: ContractSuite<RoomMediaSubject> = [
  inRoom(
    'small_room_for_video',
    'a viewer gets the sound and the picture of a master after an attach',
    async (room) => {
      await room.connected('alice', 'a', SENDS);
      const bob = await room.connected('bob', 'b', VIEWS);
      await bob.stays('', '');
      room.media.attach('b', 'a');
      await bob.gets('alice', 'alice');
      await bob.stays('alice', 'alice');
    },
  ),
  inRoom('small_room_for_video', 'an attach before either end has connected holds', async (room) => {
    const master = room.connection('alice', SENDS);
    const { sdp = '' } = await room.offer(master);
    const created = room.media.create({ endpointId: 'a', participantId: 'p-alice', ...SENDS }, sdp);
    const viewer = await room.endpoint('bob', 'b', VIEWS);
    await master.setRemoteDescription({ type: 'answer', sdp: await created });
    room.media.attach('b', 'a');
    await room.heard('bob', viewer).gets('alice', 'alice');
  }),
  inRoom('small_room_for_video', 'nothing arrives after a detach, until the next attach', async (room) => {
    await room.connected('alice', 'a', SENDS);
    const bob = await room.connected('bob', 'b', VIEWS);
    room.media.attach('b', 'a');
    await bob.gets('alice', 'alice');
    room.media.detach('b', 'a');
    await bob.gets('', '');
    await bob.stays('', '');
    room.media.attach('b', 'a');
    await bob.gets('alice', 'alice');
  }),
  inRoom('small_room_for_audio_only', 'each source arrives at exactly the attached viewers', async (room) => {
    const [sends, views] = [
      { audio: 'sendonly', video: 'inactive' },
      { audio: 'recvonly', video: 'inactive' },
    ] as const;
    for (const name of ['alice', 'bob', 'carol']) await room.connected(name, name, sends);
    const viewer = async (name: string, source: string | null) => {
      const made = await room.connected(name, `${name}-of-${source}`, views);
      if (source !== null) room.media.attach(`${name}-of-${source}`, source);
      return { made, source: source ?? '' };
    };
    const viewers = [
      await viewer('alice', 'bob'),
      await viewer('alice', 'carol'),
      await viewer('bob', 'alice'),
      await viewer('carol', 'alice'),
      await viewer('carol', null),
    ];
    for (const { made, source } of viewers) await made.gets(source, '');
    for (const { made, source } of viewers) await made.stays(source, '');
  }),
  inRoom('small_room_for_video', 'the end of a viewer changes nothing for another viewer', async (room) => {
    await room.connected('alice', 'a', SENDS);
    const bob = await room.connected('bob', 'b', VIEWS);
    const carol = await room.connected('carol', 'c', VIEWS);
    for (const id of ['b', 'c']) room.media.attach(id, 'a');
    await bob.gets('alice', 'alice');
    room.media.release('b');
    await bob.gets('', '');
    await bob.stays('', '');
    await carol.stays('alice', 'alice');
  }),
  inRoom('small_room_for_video', 'a viewer of a released master gets nothing, and then a new master', async (room) => {
    await room.connected('alice', 'a', SENDS);
    const bob = await room.connected('bob', 'b', VIEWS);
    room.media.attach('b', 'a');
    await bob.gets('alice', 'alice');
    room.media.release('a');
    await bob.gets('', '');
    await bob.stays('', '');
    await room.connected('alice', 'a2', SENDS);
    await bob.stays('', '');
    room.media.attach('b', 'a2');
    await bob.gets('alice', 'alice');
  }),
  inRoom(
    'small_room_for_video',
    'an attach replaces the earlier one, whose detach then has no effect',
    async (room) => {
      await room.connected('alice', 'a', SENDS);
      await room.connected('carol', 'c', SENDS);
      const bob = await room.connected('bob', 'b', VIEWS);
      room.media.attach('b', 'a');
      await bob.gets('alice', 'alice');
      room.media.attach('b', 'c');
      await bob.gets('carol', 'carol');
      room.media.detach('b', 'a');
      room.media.release('a');
      await bob.stays('carol', 'carol');
    },
  ),
  inRoom('small_room_for_video', 'a master gets nothing, and a viewer sends nothing', async (room) => {
    const alice = await room.connected('alice', 'a', SENDS);
    // The viewer offers to send as well. The answer only accepts to receive.
    const device = room.connection('bob', { audio: 'sendrecv', video: 'sendrecv' });
    const { sdp = '' } = await room.offer(device);
    const answer = await room.media.create({ endpointId: 'b', participantId: 'p-bob', ...VIEWS }, sdp);
    await device.setRemoteDescription({ type: 'answer', sdp: answer });
    checkEqual(
      device.getTransceivers().map(({ currentDirection }) => currentDirection),
      ['recvonly', 'recvonly'],
      'the directions of the viewer',
    );
    const carol = await room.connected('carol', 'c', VIEWS);
    room.media.attach('b', 'a');
    room.media.attach('c', 'b');
    room.media.attach('a', 'b');
    await room.heard('bob', device).gets('alice', 'alice');
    await carol.stays('', '');
    await alice.stays('', '');
  }),
  inRoom(
    'large_room_for_audio_only',
    'each participant gets a mix of all others, and not its own voice',
    async (room) => {
      const alice = await room.connected('alice', 'a', MIXES);
      await alice.stays('', '');
      const bob = await room.connected('bob', 'b', MIXES);
      await alice.gets('bob', '');
      await bob.gets('alice', '');
      const carol = await room.connected('carol', 'c', MIXES);
      await alice.gets('bob carol', '');
      await bob.gets('alice carol', '');
      await carol.gets('alice bob', '');
      room.media.release('b');
      await alice.gets('carol', '');
      await carol.gets('alice', '');
      await bob.gets('', '');
      await alice.stays('carol', '');
    },
  ),
  inRoom('large_room_for_video', 'sound is mixed, and pictures arrive at the attached viewers', async (room) => {
    const alice = await room.connected('alice', 'a', MIXES_WITH_VIDEO);
    const bob = await room.connected('bob', 'b', MIXES_WITH_VIDEO);
    const viewer = await room.connected('bob', 'b-of-a', VIEWS_VIDEO);
    room.media.attach('b-of-a', 'a');
    await alice.gets('bob', '');
    await bob.gets('alice', '');
    await viewer.gets('', 'alice');
    await viewer.stays('', 'alice');
  }),
  inRoom('large_room_for_audio_only', 'nothing passes from one room to another', async (room, subject) => {
    const other = new RoomUnderTest(subject, 'large_room_for_audio_only', 'room-2');
    try {
      const alice = await room.connected('alice', 'a', MIXES);
      const bob = await room.connected('bob', 'b', MIXES);
      // The ids of endpoints are unique in a room only.
      const carol = await other.connected('carol', 'a', MIXES);
      await alice.gets('bob', '');
      await carol.stays('', '');
      other.media.close();
      await alice.stays('bob', '');
      await bob.stays('alice', '');
    } finally {
      other.end();
    }
  }),
  inRoom('small_room_for_video', 'media continues over a renegotiation', async (room) => {
    const alice = await room.connected('alice', 'a', SENDS);
    const bob = await room.connected('bob', 'b', VIEWS);
    room.media.attach('b', 'a');
    await bob.gets('alice', 'alice');
    await room.negotiate('a', alice.connection);
    await room.negotiate('b', bob.connection);
    await bob.stays('alice', 'alice');
  }),
  inRoom('small_room_for_video', 'a picture that begins with a renegotiation arrives', async (room) => {
    const connection = room.connection('alice', { audio: 'sendonly', video: 'inactive' });
    const { sdp = '' } = await room.offer(connection);
    const answer = await room.media.create({ endpointId: 'a', participantId: 'p-alice', ...SENDS }, sdp);
    await connection.setRemoteDescription({ type: 'answer', sdp: answer });
    const bob = await room.connected('bob', 'b', VIEWS);
    room.media.attach('b', 'a');
    await bob.gets('alice', '');
    connection.addTransceiver(room.track('alice', 'video'), { direction: 'sendonly' });
    await room.negotiate('a', connection);
    await bob.gets('alice', 'alice');
    // The picture is a part of the endpoint from now on.
    await room.refused(room.media.negotiate('a', sdp), 'an offer without the picture');
    await bob.stays('alice', 'alice');
  }),
  inRoom('small_room_for_video', 'two negotiations of an endpoint at the same time are both answered', async (room) => {
    const alice = await room.connected('alice', 'a', SENDS);
    const bob = await room.connected('bob', 'b', VIEWS);
    room.media.attach('b', 'a');
    const { sdp = '' } = await room.offer(alice.connection);
    const [, answer] = await Promise.all([room.media.negotiate('a', sdp), room.media.negotiate('a', sdp)]);
    await alice.connection.setRemoteDescription({ type: 'answer', sdp: answer });
    await bob.gets('alice', 'alice');
  }),
  inRoom(
    'small_room_for_video',
    'an ICE restart of either end has new credentials, and keeps the media',
    async (room) => {
      const alice = await room.connected('alice', 'a', SENDS);
      const bob = await room.connected('bob', 'b', VIEWS);
      room.media.attach('b', 'a');
      await bob.gets('alice', 'alice');
      const ufragOf = (sdp: string) => /^a=ice-ufrag:(\S+)/m.exec(sdp)?.[1];
      for (const [id, { connection }] of [['a', alice] as const, ['b', bob] as const]) {
        const before = ufragOf(await room.negotiate(id, connection));
        const after = ufragOf(await room.negotiate(id, connection, { iceRestart: true }));
        check(after !== undefined && after !== before, 'the answer to a restart has new credentials');
        await bob.gets('alice', 'alice');
        await bob.stays('alice', 'alice');
      }
    },
  ),
  inRoom('small_room_for_video', 'an unknown id is ignored, and a negotiation of it is refused', async (room) => {
    await room.connected('alice', 'a', SENDS);
    const bob = await room.connected('bob', 'b', VIEWS);
    room.media.attach('b', 'a');
    room.media.attach('unknown', 'a');
    room.media.attach('b', 'unknown');
    room.media.detach('unknown', 'a');
    room.media.detach('b', 'unknown');
    room.media.release('unknown');
    await bob.gets('alice', 'alice');
    const { sdp = '' } = await room.offer(bob.connection);
    await room.refused(room.media.negotiate('unknown', sdp), 'an unknown endpoint', 'ERR_INVALID_ROOM_PARTICIPANT');
    await bob.stays('alice', 'alice');
  }),
  inRoom('small_room_for_video', 'a hostile offer is refused, and affects no endpoint', async (room) => {
    const alice = await room.connected('alice', 'a', SENDS);
    const bob = await room.connected('bob', 'b', VIEWS);
    room.media.attach('b', 'a');
    await bob.gets('alice', 'alice');
    const { sdp = '' } = await alice.connection.createOffer();
    for (const [what, spoil] of Object.entries(HOSTILE)) {
      const plan = { endpointId: 'hostile', participantId: 'p-mallory', ...SENDS };
      await room.refused(room.media.create(plan, spoil(sdp)), `${what}, in a first offer`);
      await room.refused(room.media.negotiate('a', spoil(sdp)), `${what}, in a later offer`);
      await room.refused(room.media.negotiate('b', spoil(sdp)), `${what}, in an offer of a viewer`);
    }
    const [head = '', audio = '', video = ''] = sdp.split(/^(?=m=)/m);
    await room.refused(room.media.negotiate('a', head + video + audio), 'sections in another order');
    await room.refused(room.media.negotiate('a', head + audio), 'one section less');
    await room.refused(
      room.media.negotiate('hostile', sdp),
      'an endpoint that was refused',
      'ERR_INVALID_ROOM_PARTICIPANT',
    );
    await bob.stays('alice', 'alice');
    await room.negotiate('a', alice.connection);
    await bob.stays('alice', 'alice');
  }),
  inRoom('large_room_for_audio_only', 'a close ends every endpoint, and refuses new ones', async (room, { pass }) => {
    const alice = await room.connected('alice', 'a', MIXES);
    const bob = await room.connected('bob', 'b', MIXES);
    await alice.gets('bob', '');
    const late = room.connection('carol', MIXES);
    const { sdp = '' } = await room.offer(late);
    const plan = { endpointId: 'c', participantId: 'p-carol', ...MIXES };
    const crossing = room.media.create(plan, sdp);
    room.media.close();
    room.media.close();
    await room.refused(crossing, 'an endpoint that is made meanwhile', 'ERR_INVALID_ROOM_PARTICIPANT');
    await room.refused(room.media.create(plan, sdp), 'a new endpoint', 'ERR_INVALID_ROOM_PARTICIPANT');
    await alice.gets('', '');
    await bob.gets('', '');
    const isConnected = () => [alice, bob].some(({ connection }) => connection.connectionState === 'connected');
    await eventually(pass, () => !isConnected(), 'both connections end', NOTICED_MS);
  }),
  inRoom('small_room_for_video', 'an endpoint that is released while it is made is refused', async (room) => {
    const connection = room.connection('alice', SENDS);
    const { sdp = '' } = await room.offer(connection);
    const plan = { endpointId: 'a', participantId: 'p-alice', ...SENDS };
    const crossing = room.media.create(plan, sdp);
    room.media.release('a');
    await room.refused(crossing, 'the endpoint', 'ERR_INVALID_ROOM_PARTICIPANT');
    await room.refused(room.media.negotiate('a', sdp), 'its negotiation', 'ERR_INVALID_ROOM_PARTICIPANT');
    await room.connected('alice', 'a', SENDS);
  }),
];
