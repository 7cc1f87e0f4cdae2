import type { Room, RoomParams } from '../room/room.ts';
import type { RoomListQuery, RoomListQueryParams } from '../room/room-list-query.ts';

/** The functions of a host about rooms. The first one loads the code of rooms. */
export interface RoomFunctions {
  /**
   * Creates a room.
   *
   * @throws CallError INSTANCE_NOT_INITIALIZED (1800302) before `init`; USER_NOT_AUTHENTICATED (1800303) before
   *   `authenticate` resolves; INVALID_PARAMETER_VALUE (1800300) or INVALID_PARAMETER_TYPE (1800301) for the parameter
   *   that it names; ERR_REQUEST_FAILED (1800200) when the request fails; the code of the exchange when it refuses.
   */
  createRoom(params: RoomParams): Promise<Room>;
  /**
   * Reads a room from the exchange. Returns the object of an earlier read, with the new values.
   *
   * @throws CallError ERR_ROOM_DELETED (1400126) for an unknown room, and as {@link createRoom}.
   */
  fetchRoomById(roomId: string): Promise<Room>;
  /** Returns the room of an earlier read. Undefined for a room that was not read. */
  getCachedRoomById(roomId: string): Room | undefined;
  /**
   * Creates a query of rooms.
   *
   * @throws CallError INVALID_PARAMETER_VALUE (1800300) or INVALID_PARAMETER_TYPE (1800301) for the parameter that it
   *   names.
   */
  createRoomListQuery(params?: RoomListQueryParams | null): RoomListQuery;
}
