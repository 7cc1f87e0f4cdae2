/** Requests about rooms that need no media: create, list, delete. They use the HTTP API, without a channel. */
import type * as v from 'valibot';
import { filledPath } from '../../src/protocol/endpoint.ts';
import { ROOM_API } from '../../src/protocol/room-api.ts';
import type { RoomPayload, RoomType } from '../../src/protocol/room-entities.ts';
import type { SignedIn } from '../headless/messages.ts';
import { commandErrorOf, openRequests } from '../signed-in-requests.ts';
import { roomFailureOf } from './room-failure.ts';

/** The requests of one signed-in user. Each rejects with a CommandError in one line. */
export interface RoomRequests {
  create(type: RoomType, customItems: Readonly<Record<string, string>>): Promise<RoomPayload>;
  /** Returns up to `limit` rooms, newest first. */
  list(filter: RoomFilter, limit: number): Promise<RoomPayload[]>;
  /** Enters the room without media, since only a participant deletes it, and deletes it. */
  delete(roomId: string): Promise<void>;
}

export interface RoomFilter {
  readonly type?: RoomType | undefined;
  readonly state?: 'open' | 'deleted' | undefined;
  /** The ids of the creators, comma-joined. */
  readonly created_by_user_ids?: string | undefined;
}

/** The rooms of one request of a list. */
const PAGE = 100;

/** Signs a user in for requests about rooms. */
export async function signInForRooms(user: SignedIn): Promise<RoomRequests> {
  const rest = await openRequests(user);

  const send = async <T extends v.GenericSchema>(
    row: { readonly method: 'GET' | 'POST' | 'DELETE'; readonly path: string; readonly answer: T },
    roomId: string,
    more: { readonly query?: Readonly<Record<string, string | number | undefined>>; readonly body?: unknown } = {},
  ): Promise<v.InferOutput<T>> => {
    const { method, path, answer: schema } = row;
    const request = { method, path: filledPath(path, { room_id: roomId }), answer: schema, auth: 'session' as const };
    try {
      return await rest.request({ ...request, ...more });
    } catch (error) {
      throw commandErrorOf(roomFailureOf(error, 'The request', roomId));
    }
  };

  return {
    create: async (type, custom_items) => (await send(ROOM_API.createRoom, '', { body: { type, custom_items } })).room,
    async list(filter, limit) {
      const rooms: RoomPayload[] = [];
      let next: string | undefined;
      do {
        const query = { ...filter, next, limit: Math.min(PAGE, limit - rooms.length) };
        const page = await send(ROOM_API.listRooms, '', { query });
        rooms.push(...page.rooms);
        next = page.next ?? undefined;
      } while (next !== undefined && rooms.length < limit);
      return rooms;
    },
    async delete(roomId) {
      const entry = { is_audio_on: false, is_video_on: false };
      await send(ROOM_API.enterRoom, roomId, { body: entry });
      await send(ROOM_API.deleteRoom, roomId);
    },
  };
}
