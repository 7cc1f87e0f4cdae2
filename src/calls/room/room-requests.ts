import type * as v from 'valibot';
import type { RoomCommandFrame } from '../../protocol/envelope.ts';
import { FrameFault } from '../../protocol/envelope.ts';
import { CallError, ErrorCode, invalidValue } from '../../protocol/errors.ts';
import { PROTOCOL_VERSION, ROOM_TIMES } from '../../protocol/limits.ts';
import {
  ROOM_GROUP,
  ROOM_REPLIES,
  type RoomCommandPayload,
  type RoomCommandType,
  type RoomReply,
} from '../../protocol/messages/rooms.ts';
import { roomList } from '../../protocol/room-entities.ts';
import { readRoomReply, roomCommandFrom } from '../../protocol/room-envelope.ts';
import { ROOM_PATHS } from '../../protocol/room-paths.ts';
import type { ReplyLimit } from '../realtime/requests.ts';
import type { Signalling } from '../realtime/signalling.ts';
import type { Rest } from '../rest/rest-client.ts';
import { ROOM_ROUTES } from './room-routes.ts';

/** The routes of commands and requests about rooms. */
export interface RoomRoutes {
  readonly signalling: Pick<Signalling, 'send'>;
  readonly rest: Rest;
}

/** The limit of a keep-alive (§9). A missing reply fails the keep-alive alone, since the channel has its heartbeat. */
const ALIVE_LIMIT: ReplyLimit = { ms: ROOM_TIMES.roomAliveReplyMs, replacesChannel: false };

export type RoomQuery = Readonly<Record<string, string | readonly string[] | undefined>>;
export type RoomPage = v.InferOutput<typeof roomList>;

/**
 * The requests of one signed-in user about rooms. Each is a command on the open channel, and a request over HTTP without
 * an open channel (§7). They throw what {@link Signalling.send} throws.
 */
export class RoomRequests {
  readonly #routes: RoomRoutes;
  #isClosed = false;

  constructor(routes: RoomRoutes) {
    this.#routes = routes;
  }

  /** Refuses further requests with `USER_NOT_AUTHENTICATED`: the user has signed out. */
  close(): void {
    this.#isClosed = true;
  }

  /** Sends a command about a room and waits for its reply. */
  request<T extends RoomCommandType>(type: T, payload: RoomCommandPayload<T>): Promise<RoomReply<T>> {
    // The exchange runs a request over HTTP again when it is repeated, and a user wants one room.
    return this.#send(type, payload, { retries: type !== 'room_create' });
  }

  /** Sends one keep-alive of a participant. */
  alive(payload: RoomCommandPayload<'room_alive'>): Promise<RoomReply<'room_alive'>> {
    return this.#send('room_alive', payload, { limit: ALIVE_LIMIT, retries: false });
  }

  /** Reports that this client got an invitation, with the token of the invitation in place of the session (INV-03). */
  received(
    payload: RoomCommandPayload<'invitation_receive'>,
    shortLivedToken: string,
  ): Promise<RoomReply<'invitation_receive'>> {
    return this.#routes.rest.request({
      ...ROOM_ROUTES.invitation_receive(payload),
      answer: ROOM_REPLIES.invitation_receive,
      auth: { shortLivedToken },
    });
  }

  /** Returns a page of rooms. It has no command (§7). */
  async list(query: RoomQuery): Promise<RoomPage> {
    this.#requireUser();
    return this.#routes.rest.request({
      method: 'GET',
      path: ROOM_PATHS.rooms,
      query,
      answer: roomList,
      auth: 'session',
    });
  }

  #requireUser(): void {
    if (this.#isClosed) throw new CallError(ErrorCode.USER_NOT_AUTHENTICATED);
  }

  async #send<T extends RoomCommandType>(
    type: T,
    payload: RoomCommandPayload<T>,
    options: { readonly limit?: ReplyLimit; readonly retries: boolean },
  ): Promise<RoomReply<T>> {
    this.#requireUser();
    const { signalling, rest } = this.#routes;
    return signalling.send<RoomReply<T>>(
      {
        type,
        frame: (requestId) => roomFrame(type, payload, requestId),
        read: (reply) => readRoomReply(type, reply),
      },
      {
        ...options,
        overHttp: (limitMs, requestId) => {
          // The schema checks the payload for both routes alike.
          roomFrame(type, payload, type);
          const answer = ROOM_REPLIES[type];
          return rest.request({ ...ROOM_ROUTES[type](payload), answer, auth: 'session', requestId, limitMs });
        },
      },
    );
  }
}

/**
 * Returns the frame of a command about a room, checked by the schema that the exchange reads it with.
 * @throws CallError `INVALID_PARAMETER_VALUE` with the wrong part of the frame.
 */
function roomFrame<T extends RoomCommandType>(
  type: T,
  payload: RoomCommandPayload<T>,
  request_id: string,
): RoomCommandFrame {
  try {
    return roomCommandFrom({ version: PROTOCOL_VERSION, request_id, cmd: ROOM_GROUP, type, payload });
  } catch (error) {
    throw error instanceof FrameFault ? invalidValue(error.where) : error;
  }
}
