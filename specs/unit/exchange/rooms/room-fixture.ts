/** An exchange with rooms under a hand-driven clock. Each command goes over the channel or over HTTP. */
import { callingEndpointOf, type CallingRoute } from '../../../../src/protocol/calling-api.ts';
import { filledPath } from '../../../../src/protocol/endpoint.ts';
import {
  ROOM_REPLIES,
  type RoomCommandPayload,
  type RoomCommandType,
  type RoomReply,
} from '../../../../src/protocol/messages/rooms.ts';
import type { RoomType } from '../../../../src/protocol/room-entities.ts';
import type { ExchangeOptions } from '../../../../sim/exchange/exchange.ts';
import * as v from 'valibot';
import { MemoryStore } from '../../../../sim/store/memory-store.ts';
import { createExchangeFixture, PACKED, type Device, type ExchangeFixture } from '../exchange-fixture.ts';
import { FakeRoomMedia } from './fake-room-media.ts';

export type Way = 'channel' | 'http';

/** A rate limit that no test exhausts. */
const AMPLE = { burst: 1e9, perSecond: 1 };
const NAMES = ['alice', 'bob', 'carol', 'dave'];
/** The users guest-0 to guest-100, who fill a large room. */
export const GUESTS = Array.from({ length: 101 }, (_, at) => `guest-${at}`);
export const MEDIA = { is_audio_on: true, is_video_on: false };

/** The request of each command over HTTP. Undefined as body: none. */
const ROUTES: Readonly<Record<RoomCommandType, readonly [name: CallingRoute, fixed?: object]>> = {
  room_create: ['createRoom'],
  room_get: ['getRoom'],
  room_enter: ['enterRoom'],
  room_exit: ['exitRoom'],
  room_delete: ['deleteRoom'],
  room_alive: ['roomAlive'],
  room_audio: ['roomAudio'],
  room_video: ['roomVideo'],
  endpoint_create: ['createEndpoint'],
  endpoint_put: ['putEndpoint'],
  endpoint_release: ['releaseEndpoint'],
  endpoint_attach: ['attachEndpoint'],
  endpoint_detach: ['releaseEndpoint'],
  endpoint_connected: ['endpointConnected'],
  invitation_send: ['sendInvitation'],
  invitation_cancel: ['cancelInvitation'],
  invitation_accept: ['answerInvitation', { action: 'accept' }],
  invitation_decline: ['answerInvitation', { action: 'decline' }],
  invitation_receive: ['answerInvitation', { action: 'receive' }],
  room_custom_items_get: ['roomCustomItems'],
  room_custom_items_update: ['putRoomCustomItems', { mode: 'upsert' }],
  room_custom_items_delete: ['deleteRoomCustomItems'],
};

/** A refusal, as the code of either way. */
export class Refused extends Error {
  readonly code: number;
  readonly status: number | null;

  constructor(code: number, status: number | null) {
    super(`refused with ${code}`);
    this.code = code;
    this.status = status;
  }
}

/** Runs a command of a device. Rejects with {@link Refused}. */
export async function run<T extends RoomCommandType>(
  device: Device,
  type: T,
  payload: RoomCommandPayload<T>,
  way: Way = 'channel',
): Promise<RoomReply<T>> {
  if (way === 'channel') {
    const { error, payload: answer } = await device.room(type, payload);
    if (error) throw new Refused(error.code, null);
    return v.parse(ROOM_REPLIES[type], answer);
  }
  const [name, fixed] = ROUTES[type];
  const { method, path } = callingEndpointOf(name);
  const params = payload as unknown as Record<string, string>;
  const body = Object.fromEntries(
    Object.entries({ ...payload, ...fixed }).filter(([key]) => !path.includes(`{${key}}`)),
  );
  const { status, body: answer } = await device.fixture.http(method, filledPath<string>(path, params), {
    headers: device.headers,
    ...(Object.keys(body).length > 0 ? { body } : method === 'POST' ? { body: {} } : {}),
  });
  if (status !== 200) throw new Refused(answer.code, status);
  return v.parse(ROOM_REPLIES[type], answer);
}

/** Returns the code with which a command is refused. 0 when it is not. */
export const codeOf = <T extends RoomCommandType>(
  device: Device,
  type: T,
  payload: RoomCommandPayload<T>,
  way: Way = 'channel',
): Promise<number> =>
  run(device, type, payload, way).then(
    () => 0,
    (error: unknown) => {
      if (error instanceof Refused) return error.code;
      throw error;
    },
  );

/** A client in a room. */
export interface Party {
  readonly device: Device;
  readonly room_id: string;
  readonly participant_id: string;
  /** The ids of its commands. */
  readonly me: { readonly room_id: string; readonly participant_id: string };
}

export interface RoomWorld {
  readonly fixture: ExchangeFixture;
  readonly media: FakeRoomMedia;
  readonly store: MemoryStore;
  create(device: Device, type?: RoomType, way?: Way): Promise<string>;
  enter(device: Device, roomId: string, more?: object, way?: Way): Promise<Party>;
  /** Moves the time in steps, after each of which these clients send a keep-alive. */
  pass(ms: number, ...alive: Party[]): Promise<void>;
}

export function createRoomWorld(options: Partial<ExchangeOptions> = {}): RoomWorld {
  const media = new FakeRoomMedia();
  const store = options.store instanceof MemoryStore ? options.store : new MemoryStore();
  const { settings, ...others } = options;
  const fixture = createExchangeFixture({
    roomMedia: media,
    users: [...NAMES, ...GUESTS].map((user_id) => ({ user_id, nickname: user_id, profile_url: '' })),
    store,
    settings: {
      ...{ dials: AMPLE, invitations: AMPLE, messages: AMPLE, accountMessages: AMPLE, sent: AMPLE, requestFactor: 1e6 },
      ...settings,
    },
    ...others,
  });
  return {
    fixture,
    media,
    store,
    create: async (device, type = 'small_room_for_video', way = 'channel') =>
      (await run(device, 'room_create', { type }, way)).room.room_id,
    async enter(device, room_id, more = {}, way = 'channel') {
      const { me } = await run(device, 'room_enter', { room_id, ...MEDIA, kick_siblings: false, ...more }, way);
      const { participant_id } = me;
      return { device, room_id, participant_id, me: { room_id, participant_id } };
    },
    async pass(ms, ...alive) {
      for (let left = ms; left > 0; left -= 5_000) {
        fixture.clock.advance(Math.min(5_000, left));
        for (const { device, me } of alive) await codeOf(device, 'room_alive', me);
      }
    },
  };
}

/** Makes an endpoint, and returns its ids. */
export async function endpoint(
  { device, me }: Party,
  audio_attr: RoomCommandPayload<'endpoint_create'>['audio_attr'],
  video_attr: RoomCommandPayload<'endpoint_create'>['video_attr'],
  way: Way = 'channel',
) {
  const { endpoint_id } = await run(device, 'endpoint_create', { ...me, sdp: PACKED, audio_attr, video_attr }, way);
  return { ...me, endpoint_id };
}

/** Makes a master of a small room with video, and connects it. */
export async function master(party: Party, way: Way = 'channel') {
  const made = await endpoint(party, 'sendonly', 'sendonly', way);
  await run(party.device, 'endpoint_connected', made, way);
  return made;
}

/** Returns the events of a room that a device got: their numbers and types. */
export const heard = (device: Device, roomId?: string): string[] =>
  device.roomEvents
    .filter(({ payload }) => roomId === undefined || ('room_id' in payload && payload.room_id === roomId))
    .map(({ sequence_number, type }) => `${sequence_number} ${type}`);

/** Returns the payload of the last event of a type. */
export const lastOf = (device: Device, type: string): any =>
  device.roomEvents.findLast((event) => event.type === type)?.payload;
