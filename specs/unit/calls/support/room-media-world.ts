/** The media of stays in a room of the virtual world: a real exchange with its media server, and requests that fail. */
import * as v from 'valibot';
import { MEDIA_SERVER } from '../../../../sim/faults/vocabulary.ts';
import { VirtualCluster } from '../../../../sim/scenario/virtual/virtual-cluster.ts';
import type { VirtualPeerConnection } from '../../../../sim/virtual/peer-connection.ts';
import type { VirtualPlatform } from '../../../../sim/virtual/platform.ts';
import { createWorld, type VirtualNetworkWorld } from '../../../../sim/virtual/world.ts';
import { MediaDevices } from '../../../../src/calls/media/media-devices.ts';
import { startParticipationMedia } from '../../../../src/calls/room/media/start-participation-media.ts';
import type {
  EndpointRequests,
  ParticipationMedia,
  ParticipationMediaStart,
} from '../../../../src/calls/room/participation-media.ts';
import { CallError, ErrorCode } from '../../../../src/protocol/errors.ts';
import { loginAnswer } from '../../../../src/protocol/http.ts';
import { TIMES } from '../../../../src/protocol/limits.ts';
import {
  ROOM_REPLIES,
  type RoomCommandPayload,
  type RoomCommandType,
} from '../../../../src/protocol/messages/rooms.ts';
import type { RoomType } from '../../../../src/protocol/room-entities.ts';
import { accountTimers, type TimerAccount } from './timer-account.ts';

/** The time of a message between a device and the exchange. Milliseconds. */
const WAY_MS = 5;

/**
 * What happens to a request: it is refused with a code, or nothing of it arrives, or its reply is lost. A lost one fails
 * after the limit of a request. A function rewrites its reply.
 */
export type Fate = number | 'lost' | 'reply lost' | ((reply: Record<string, unknown>) => Record<string, unknown>);

export interface SentRequest {
  readonly type: RoomCommandType;
  /** Milliseconds since the start of the world. */
  readonly at: number;
  readonly payload: Record<string, unknown>;
}

/** One client in the room, with its media. */
export class Stay {
  readonly name: string;
  readonly platform: VirtualPlatform;
  readonly choice: MediaDevices;
  /** The timers that its media has started. */
  readonly timers: TimerAccount;
  /** The reports of the media, in order. */
  readonly notices: string[] = [];
  readonly requests: SentRequest[] = [];
  readonly errors: string[] = [];
  readonly debugs: string[] = [];
  /** The transitions of its endpoints, in order. */
  readonly states: string[] = [];
  participantId = '';
  media!: ParticipationMedia;
  readonly #world: RoomMediaWorld;
  readonly #fates = new Map<RoomCommandType, Fate[]>();
  readonly #replies = new Map<string, (frame: Record<string, unknown>) => void>();
  /** The other participants, and whether each is connected. */
  readonly #others = new Map<string, boolean>();
  #send: (text: string) => void = () => undefined;
  #sent = 0;

  constructor(world: RoomMediaWorld, name: string) {
    this.#world = world;
    this.name = name;
    this.platform = world.world.platform(name);
    this.timers = accountTimers(this.platform.clock);
    this.choice = new MediaDevices({
      devices: this.platform.devices,
      page: this.platform.page,
      log: { warning: () => undefined },
      changed: () => undefined,
    });
  }

  /** The connections that are open, the master first. */
  get connections(): readonly VirtualPeerConnection[] {
    return this.platform.rtc.open;
  }

  /** The names of the devices whose sound or picture arrives now. */
  gets(kind: 'audio' | 'video'): string[] {
    return this.connections.flatMap((one) => one.arriving(kind).map(({ from }) => from)).sort();
  }

  /** The label of the track of another device that arrives now, with what it carries. */
  seesOf(name: string): { label: string; enabled: boolean } | undefined {
    const arriving = this.connections.flatMap((one) => one.arriving('video'));
    const track = arriving.find(({ from }) => from === name)?.track;
    return track && { label: track.label, enabled: track.enabled };
  }

  /** Decides what happens to the next requests of a type. */
  next(type: RoomCommandType, ...fates: Fate[]): void {
    this.#fates.set(type, [...(this.#fates.get(type) ?? []), ...fates]);
  }

  /** The times of the requests of a type. Milliseconds since the start of the world. */
  timesOf(type: RoomCommandType): number[] {
    return this.requests.filter((one) => one.type === type).map(({ at }) => at);
  }

  /** The platform, with the account of its timers. */
  get ports() {
    return { ...this.platform, clock: this.timers.clock, random: () => this.platform.random() };
  }

  /** Enters the room without media. */
  async join(roomId: string): Promise<void> {
    const { exchange } = this.#world.world;
    const token = await this.#world.login(this.name);
    this.choice.watch();
    const connection = exchange.connect(
      { sessionToken: token, clientId: `${this.name}-1`, version: '1' },
      { send: (text) => void this.#later(() => this.#receive(text)), close: () => undefined },
    );
    if (!('receive' in connection)) throw new Error('the channel was refused');
    this.#send = (text) => void this.#later(() => connection.receive(text));
    const payload = { room_id: roomId, is_audio_on: true, is_video_on: true, kick_siblings: false };
    const { me, room } = await this.#world.done(this.request('room_enter', payload));
    this.participantId = me.participant_id;
    for (const one of room.current_participants) this.#note(one.participant_id, one.state);
  }

  /** Starts the media of this participant. */
  startMedia(more: Partial<ParticipationMediaStart> = {}): void {
    const start = startParticipationMedia({ platform: this.ports, choice: this.choice, log: this.log });
    this.media = start({
      roomType: this.#world.type,
      audioEnabled: true,
      videoEnabled: true,
      requests: this.endpointRequests,
      events: this.#events(),
      views: { local: null, largeRoomAudio: null },
      ...more,
    });
    this.#follow();
  }

  /** Leaves the room: the session closes its media, and informs the exchange. */
  async exit(): Promise<void> {
    this.media.close();
    const ids = { room_id: this.#world.roomId, participant_id: this.participantId };
    await this.#world.done(this.request('room_exit', ids));
  }

  /** Keeps the participant in the room. */
  keepAlive(): void {
    const ids = { room_id: this.#world.roomId, participant_id: this.participantId };
    this.request('room_alive', ids).catch(() => undefined);
  }

  /** Sends a command, and returns its reply. */
  request<T extends RoomCommandType>(type: T, payload: RoomCommandPayload<T>) {
    this.#sent += 1;
    const request_id = `${this.name}-${this.#sent}`;
    const reply = new Promise<v.InferOutput<(typeof ROOM_REPLIES)[T]>>((resolve, reject) => {
      this.#replies.set(request_id, ({ error, payload: answer }) => {
        if (error) reject(new CallError((error as { code: number }).code));
        else resolve(v.parse(ROOM_REPLIES[type], answer));
      });
    });
    this.#send(JSON.stringify({ version: 1, request_id, cmd: 'COMM', type, payload }));
    return reply;
  }

  /** The requests of its endpoints, with the fates that a test has set. */
  get endpointRequests(): EndpointRequests {
    return {
      request: async (type, fields) => {
        const payload = { room_id: this.#world.roomId, participant_id: this.participantId, ...fields } as never;
        this.requests.push({ type, at: this.#world.now, payload });
        const fate = this.#fates.get(type)?.shift();
        if (typeof fate === 'number') {
          await this.#later(() => undefined);
          throw new CallError(fate);
        }
        const reply = fate === 'lost' ? null : this.request(type, payload);
        if (fate !== 'lost' && fate !== 'reply lost') {
          const answer = (await reply) as never;
          return fate ? (fate(answer) as never) : answer;
        }
        reply?.catch(() => undefined);
        await this.#later(() => undefined, TIMES.requestTimeoutMs);
        throw new CallError(ErrorCode.ERR_NO_RESPONSE_DUE_TO_TIMEOUT);
      },
    };
  }

  #events(): ParticipationMediaStart['events'] {
    const tell = (notice: string) => void this.notices.push(notice);
    return {
      streamStarted: (id) => tell(`stream of ${this.#world.nameOf(id)}`),
      disconnected: () => tell('disconnected'),
      reconnected: () => tell('reconnected'),
      missingChanged: () => tell(`missing ${this.media.missing.map(({ kind }) => kind).join()}`),
      screenShareStopped: () => tell('screen share stopped'),
      videoSent: (isOn) => tell(`video ${isOn ? 'on' : 'off'}`),
      pageReturned: () => tell('page returned'),
      pageLeft: () => tell('page left'),
      failed: ({ code }, id) => tell(`failed ${code}${id === undefined ? '' : ` ${this.#world.nameOf(id)}`}`),
    };
  }

  get log() {
    return {
      debug: (message: string, { from, to }: { from?: string; to?: string } = {}) => {
        if (to !== undefined) this.states.push(`${from} -> ${to}`);
        else this.debugs.push(message);
      },
      warning: () => undefined,
      error: (message: string) => void this.errors.push(message),
    };
  }

  #receive(text: string): void {
    const frame = JSON.parse(text) as Record<string, unknown>;
    const waiting = this.#replies.get(String(frame['request_id']));
    if (waiting) return waiting(frame);
    const { participant } = (frame['payload'] ?? {}) as { participant?: { participant_id: string; state: string } };
    if (!participant) return;
    this.#note(participant.participant_id, participant.state);
    this.#follow();
  }

  #note(id: string, state: string): void {
    if (id === this.participantId) return;
    if (state === 'exited') this.#others.delete(id);
    else this.#others.set(id, state === 'connected');
  }

  #follow(): void {
    this.media?.follow([...this.#others].map(([participantId, isConnected]) => ({ participantId, isConnected })));
  }

  #later(run: () => void, ms = WAY_MS): Promise<void> {
    return new Promise((resolve) => {
      this.#world.world.clock.after(ms, () => {
        run();
        resolve();
      });
    });
  }
}

/** A room whose participants are devices of a virtual world. */
export class RoomMediaWorld {
  readonly world: VirtualNetworkWorld<VirtualCluster>;
  readonly type: RoomType;
  readonly stays: Stay[] = [];
  roomId = '';
  readonly #start: number;

  constructor(type: RoomType = 'small_room_for_video') {
    this.type = type;
    const users = ['alice', 'bob', 'carol', 'dave', 'erin', 'frank'];
    this.world = createWorld({
      seed: 5,
      exchange: (world, mediaServer) =>
        new VirtualCluster({ world, seed: 5, nodes: 1, users, mediaServer: mediaServer(MEDIA_SERVER) }),
    });
    this.#start = this.world.clock.now();
  }

  /** Milliseconds since the start of the world. */
  get now(): number {
    return this.world.clock.now() - this.#start;
  }

  stay(name: string): Stay {
    const stay = new Stay(this, name);
    this.stays.push(stay);
    return stay;
  }

  /** Enters the room with a device. The first one makes it. */
  async enter(name: string, more?: Partial<ParticipationMediaStart>): Promise<Stay> {
    const stay = this.stay(name);
    await this.join(stay);
    stay.startMedia(more);
    return stay;
  }

  /** Enters the room without media. */
  async join(stay: Stay): Promise<void> {
    await this.world.settle();
    this.roomId ||= await this.#createRoom(stay.name);
    await stay.join(this.roomId);
  }

  nameOf(participantId: string): string {
    return this.stays.find((stay) => stay.participantId === participantId)?.name ?? participantId;
  }

  /** Cuts the path of media between a device and the media server. */
  cut(stay: Stay): void {
    this.world.media.cut(stay.name, MEDIA_SERVER);
  }

  restore(stay: Stay): void {
    this.world.media.restore(stay.name, MEDIA_SERVER);
  }

  /** Moves the time, while each participant keeps itself in the room. */
  async pass(ms: number): Promise<void> {
    for (let left = ms; left > 0; left -= 5_000) {
      for (const stay of this.stays) if (stay.participantId !== '') stay.keepAlive();
      await this.world.advance(Math.min(left, 5_000));
    }
  }

  /** Waits for a promise of the virtual world. */
  async done<T>(promise: Promise<T>): Promise<T> {
    promise.catch(() => undefined);
    await this.world.advance(2 * WAY_MS);
    return promise;
  }

  async login(user: string): Promise<string> {
    const body = await this.#post(`/v1/users/${user}/login`, { app_id: 'ringback-demo', user_id: user }, user);
    return v.parse(loginAnswer, body).sbcall_session_token;
  }

  async #createRoom(user: string): Promise<string> {
    const body = await this.#post('/v1/rooms', { type: this.type }, user, await this.login(user));
    return v.parse(v.object({ room: v.object({ room_id: v.string() }) }), body).room.room_id;
  }

  async #post(path: string, body: unknown, user: string, token = ''): Promise<unknown> {
    const headers = { 'x-client-id': `${user}-1`, 'x-session-token': token };
    const answer = await this.world.exchange.http({
      method: 'POST',
      path,
      query: {},
      headers,
      address: '192.0.2.1',
      body,
    });
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  }
}
