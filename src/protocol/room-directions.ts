/** The endpoints of each type of room (§9, media direction by room type), as the client sees them. */
import type { MediaDirection, RoomType } from './room-entities.ts';

/** The directions of one endpoint. */
export interface EndpointDirections {
  readonly audio: MediaDirection;
  readonly video: MediaDirection;
}

/** The directions of the endpoints of a room. Null: the room has no viewers. */
export const ROOM_DIRECTIONS: Readonly<
  Record<RoomType, { readonly master: EndpointDirections; readonly viewer: EndpointDirections | null }>
> = {
  small_room_for_audio_only: {
    master: { audio: 'sendonly', video: 'inactive' },
    viewer: { audio: 'recvonly', video: 'inactive' },
  },
  large_room_for_audio_only: { master: { audio: 'sendrecv', video: 'inactive' }, viewer: null },
  small_room_for_video: {
    master: { audio: 'sendonly', video: 'sendonly' },
    viewer: { audio: 'recvonly', video: 'recvonly' },
  },
  large_room_for_video: {
    master: { audio: 'sendrecv', video: 'sendonly' },
    viewer: { audio: 'inactive', video: 'recvonly' },
  },
};
