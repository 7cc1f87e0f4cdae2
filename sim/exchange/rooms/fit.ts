/** Rooms and users that fit into a frame of the channel. */
import type { UserPayload } from '../../../src/protocol/entities.ts';
import { LIMITS } from '../../../src/protocol/limits.ts';

/** The most bytes of a user in a message about a room. */
const USER_BYTES = 4_096;
/** The most bytes of a room. The rest of the frame is for the envelope and up to three users. */
const ROOM_BYTES = LIMITS.frameBytes - 4 * USER_BYTES;
/** The number of participants up to which a room always fits. */
const ALWAYS_FITS = 6;

/** The forms of a user, each shorter than the one before. */
const FORMS: readonly ((user: UserPayload) => UserPayload)[] = [
  (user) => user,
  (user) => ({ ...user, metadata: {} }),
  (user) => ({ ...user, metadata: {}, profile_url: '' }),
  (user) => ({ ...user, metadata: {}, profile_url: '', nickname: '' }),
];

const bytesOf = (value: unknown): number => new TextEncoder().encode(JSON.stringify(value)).length;

/** Returns a value with the longest form of users with which it has at most so many bytes. Else with the shortest form. */
function fitted<T>(bytes: number, make: (form: (user: UserPayload) => UserPayload) => T): T {
  const [longest = (user) => user, ...shorter] = FORMS;
  let value = make(longest);
  for (const form of shorter) {
    if (bytesOf(value) <= bytes) break;
    value = make(form);
  }
  return value;
}

/** Returns a user without the metadata, the picture and the nickname, in this order, as far as they are too long. */
export const fittedUser = (user: UserPayload): UserPayload => fitted(USER_BYTES, (form) => form(user));

/**
 * Returns a room whose users have no metadata, pictures and nicknames, in this order, as far as it would exceed a
 * frame.
 *
 * @param participants - the number of its participants.
 * @param make - makes the room, with a function for each of its users.
 */
export const fittedRoom = <T>(participants: number, make: (form: (user: UserPayload) => UserPayload) => T): T =>
  participants <= ALWAYS_FITS ? make((user) => user) : fitted(ROOM_BYTES, make);

/** Returns the first rooms that fit together into an answer over HTTP. */
export function fittedList<T>(rooms: readonly T[]): readonly T[] {
  let left = LIMITS.httpBodyBytes - USER_BYTES;
  const over = rooms.findIndex((room) => (left -= bytesOf(room) + 1) < 0);
  return over === -1 ? rooms : rooms.slice(0, over);
}
