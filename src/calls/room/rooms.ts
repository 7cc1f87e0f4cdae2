import type { Clock } from '../../common/clock.ts';
import { FrameFault, type UnreadEvent } from '../../protocol/envelope.ts';
import { CallError, ErrorCode, invalidValue } from '../../protocol/errors.ts';
import { ROOM_TYPES, type RoomPayload } from '../../protocol/room-entities.ts';
import { roomEventFrom } from '../../protocol/room-envelope.ts';
import { asCallError } from '../host/call-host.ts';
import { isEmpty, requireId, requireObject, requireText } from '../host/checks.ts';
import { checkCustomItems } from '../host/custom-items.ts';
import type { Logger } from '../logging/log.ts';
import { ClientRoom } from './client-room.ts';
import { Invitations, type InvitationEvent } from './invitations.ts';
import type { StartParticipationMedia } from './participation-media.ts';
import type { RoomInvitation, RoomParams } from './room.ts';
import type { PageOfRooms } from './room-pages.ts';
import { RoomRequests, type RoomQuery, type RoomRoutes } from './room-requests.ts';

export interface RoomsDeps {
  /** The routes of the signed-in user. */
  readonly routes: RoomRoutes;
  readonly startMedia: StartParticipationMedia;
  readonly clock: Clock;
  readonly log: Logger;
  /** Opens a waiting channel now. */
  readonly hasten: () => void;
  /** Replaces the channel, whose socket may have died. */
  readonly reconnect: () => void;
  /** Reports a new invitation to the host. */
  readonly invited: (invitation: RoomInvitation) => void;
}

/** The rooms that a client remembers without using them. A host that reads more gets new objects for the oldest. */
const REMEMBERED = 1_000;

/** The rooms of one signed-in user: one object for each room id. */
export class Rooms {
  readonly #deps: RoomsDeps;
  readonly #requests: RoomRequests;
  readonly #invitations: Invitations;
  /** By id. The room that was read last is the last. */
  readonly #rooms = new Map<string, ClientRoom>();

  constructor(deps: RoomsDeps) {
    this.#deps = deps;
    this.#requests = new RoomRequests(deps.routes);
    this.#invitations = new Invitations({
      requests: this.#requests,
      log: deps.log,
      addRoom: (room) => this.#add(room),
      room: (roomId) => this.#rooms.get(roomId),
      invited: deps.invited,
    });
  }

  /** Creates a room. Rejects as `createRoom` of a host does. */
  async create(params: RoomParams): Promise<ClientRoom> {
    const { roomType, customItems }: Partial<RoomParams> = requireObject(params, 'params');
    const given = requireText(roomType, 'roomType');
    const type = ROOM_TYPES.find((one) => one === given);
    if (!type) throw invalidValue('roomType');
    const items = isEmpty(customItems) ? {} : { custom_items: checkCustomItems(customItems) };
    return this.#answered(() => this.#requests.request('room_create', { type, ...items }));
  }

  /** Reads a room. Rejects as `fetchRoomById` of a host does. */
  async fetch(roomId: string): Promise<ClientRoom> {
    const room_id = requireId(roomId, 'roomId');
    try {
      return await this.#answered(() => this.#requests.request('room_get', { room_id }));
    } catch (error) {
      if (error instanceof CallError && error.code === ErrorCode.ERR_ROOM_DELETED)
        this.#rooms.get(room_id)?.wasDeleted();
      throw error;
    }
  }

  /** Returns a room of an earlier read. */
  cached(roomId: string): ClientRoom | undefined {
    return this.#rooms.get(roomId);
  }

  /** Requests a page of rooms. */
  async page(query: RoomQuery): Promise<PageOfRooms> {
    const { rooms, next, prev } = await this.#requests.list(query);
    return { rooms: rooms.map((room) => this.#add(room)), next, prev };
  }

  /** Handles an event. One of an unknown room is ignored (RM-24). */
  receive(frame: UnreadEvent): void {
    let event: ReturnType<typeof roomEventFrom>;
    try {
      event = roomEventFrom(frame);
    } catch (fault) {
      const code = fault instanceof FrameFault ? fault.code : ErrorCode.ERR_MALFORMED_DATA;
      this.#deps.log.error('unreadable frame', { code, fault });
      return;
    }
    if (isAboutInvitation(event)) this.#invitations.receive(event);
    else this.#rooms.get(event.payload.room_id)?.receive(event);
  }

  /** Reads the rooms of this client again, after the channel was closed. */
  restored(): void {
    for (const room of this.#rooms.values()) if (room.isEntered) void room.readAgain();
  }

  /** Returns whether this client is in a room. */
  isLive(): boolean {
    return [...this.#rooms.values()].some((room) => room.isEntered);
  }

  /** Leaves every room when the user signs out. Returns whether a room is still left, which happens in its listener. */
  signOut(): boolean {
    for (const room of this.#rooms.values()) room.signedOut();
    const isEnding = this.isLive();
    // The requests of the exits have begun. A room that the host keeps has no user any more.
    queueMicrotask(() => this.#requests.close());
    return isEnding;
  }

  async #answered(request: () => Promise<{ readonly room: RoomPayload }>): Promise<ClientRoom> {
    try {
      return this.#add((await request()).room);
    } catch (error) {
      throw asCallError(error);
    }
  }

  #add(facts: RoomPayload): ClientRoom {
    const known = this.#rooms.get(facts.room_id);
    const { clock, log, startMedia, hasten, reconnect } = this.#deps;
    const room =
      known ??
      new ClientRoom(facts, {
        requests: this.#requests,
        startMedia,
        clock,
        log,
        hasten,
        reconnect,
        used: (one) => this.#remember(one),
        invitationOf: (reply) => this.#invitations.of(reply),
      });
    known?.take(facts);
    this.#remember(room);
    return room;
  }

  /** Makes a room the last one. Forgets the oldest that is not in use, when there are too many. */
  #remember(room: ClientRoom): void {
    this.#rooms.delete(room.roomId);
    this.#rooms.set(room.roomId, room);
    if (this.#rooms.size <= REMEMBERED) return;
    const oldest = [...this.#rooms].find(([, one]) => !one.isInUse);
    if (oldest) this.#rooms.delete(oldest[0]);
  }
}

const isAboutInvitation = (event: ReturnType<typeof roomEventFrom>): event is InvitationEvent =>
  event.type.startsWith('invitation_');
