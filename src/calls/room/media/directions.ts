/** The endpoints of each type of room (§9, media direction by room type), as the client sees them. */
import type { MediaDirection, RoomType } from '../../../protocol/room-entities.ts';
import type { TrackPlan } from '../../peer/track-plan.ts';

/** The directions of one endpoint. */
export interface Directions {
  readonly audio: MediaDirection;
  readonly video: MediaDirection;
}

/** The directions of the endpoints of a room. Null: the room has no viewers. */
export const DIRECTIONS: Readonly<
  Record<RoomType, { readonly master: Directions; readonly viewer: Directions | null }>
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

/** Returns the tracks of an endpoint in the order of its offer. An inactive kind has no section. */
export function planOf(directions: Directions): TrackPlan {
  return (['audio', 'video'] as const).flatMap((kind) => {
    const direction = directions[kind];
    return direction === 'inactive' ? [] : [{ kind, direction }];
  });
}
