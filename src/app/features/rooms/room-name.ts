import type { RoomFacts, RoomType } from '../../../react/index.ts';

/** The custom item of a room that holds its name. The library stores custom items, and the exchange ignores them. */
export const ROOM_NAME_ITEM = 'name';
/** The most characters of a name. */
export const ROOM_NAME_CHARACTERS = 40;

/** Returns the name of a room. Empty without a name. */
export function givenName({ customItems }: Pick<RoomFacts, 'customItems'>): string {
  return (customItems[ROOM_NAME_ITEM] ?? '').slice(0, ROOM_NAME_CHARACTERS);
}

/**
 * The most participants of a room by its type. Rooms do not report it. An import of the limits of the protocol would
 * move them out of the chunk of the library.
 */
export const CAPACITY: Readonly<Record<RoomType, number>> = {
  small_room_for_video: 6,
  small_room_for_audio_only: 6,
  large_room_for_video: 100,
  large_room_for_audio_only: 100,
};
