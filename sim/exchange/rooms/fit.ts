/** Rooms and users that fit into a frame of the channel. */
import type { UserPayload } from '../../../src/protocol/entities.ts';
import { LIMITS } from '../../../src/protocol/limits.ts';
import type { RoomPayload } from '../../../src/protocol/room-entities.ts';

/** The most bytes of a user in a message about a room. */
const USER_BYTES = 4_096;
/** The most bytes of an envelope: its request id may be 128 characters, each of six bytes of JSON. */
const ENVELOPE_BYTES = 1_024;
/** The most bytes beside a room in a payload in its shortest form: two users, or a participant, and a token. */
const BESIDE_BYTES = 2_048;
const PAYLOAD_BYTES = LIMITS.frameBytes - ENVELOPE_BYTES;
/** The most bytes of a room in its shortest form. */
const LEAST_ROOM_BYTES = PAYLOAD_BYTES - BESIDE_BYTES;
/** The number of participants up to which a room always fits, whatever their ids and its items are. */
const ALWAYS_FITS = 6;
const ALWAYS_FITS_SHORT = 32;

/** How much a message has of the participants of a room, and of the users beside it. */
export interface Form {
  readonly inRoom: (user: UserPayload) => UserPayload;
  readonly beside: (user: UserPayload) => UserPayload;
  /** Whether other participants have their client ids. */
  readonly hasClientIds: boolean;
}

const whole = (user: UserPayload): UserPayload => user;
const shortest = (user: UserPayload): UserPayload => ({ ...user, metadata: {}, profile_url: '', nickname: '' });

/** The forms of a user, each shorter than the one before. */
const USER_FORMS: readonly Form['inRoom'][] = [
  whole,
  (user) => ({ ...user, metadata: {} }),
  (user) => ({ ...user, metadata: {}, profile_url: '' }),
  shortest,
];

const LEAST: Form = { inRoom: shortest, beside: shortest, hasClientIds: false };
/** The forms of a message, each shorter than the one before. */
const FORMS: readonly Form[] = [
  ...USER_FORMS.map((inRoom) => ({ inRoom, beside: whole, hasClientIds: true })),
  { ...LEAST, beside: whole },
  LEAST,
];

const bytesOf = (value: unknown): number => new TextEncoder().encode(JSON.stringify(value)).length;

/** Returns whether a value has at most so many bytes of JSON. A character has at most three. */
function isWithin(value: unknown, bytes: number): boolean {
  const text = JSON.stringify(value);
  return text.length * 3 <= bytes || (text.length <= bytes && new TextEncoder().encode(text).length <= bytes);
}

/** Returns what the first form makes that has at most so many bytes. Else what the last form makes. */
function fitted<F, T>(forms: readonly F[], last: F, bytes: number, make: (form: F) => T): T {
  for (const form of forms) {
    const value = make(form);
    if (isWithin(value, bytes)) return value;
  }
  return make(last);
}

/** Returns a user without the metadata, the picture and the nickname, in this order, as far as they are too long. */
export const fittedUser = (user: UserPayload): UserPayload =>
  fitted(USER_FORMS, shortest, USER_BYTES, (form) => form(user));

/**
 * Returns a payload with a room that fits into a frame. As far as needed its participants have no metadata, pictures,
 * nicknames and client ids, in this order, and then the users beside the room have only their ids.
 *
 * @param participants - the number of participants of the room.
 * @param make - makes the payload in a form.
 */
export function fittedPayload<T>(participants: number, make: (form: Form) => T): T {
  const [longest = LEAST] = FORMS;
  return participants <= ALWAYS_FITS ? make(longest) : fitted(FORMS, LEAST, PAYLOAD_BYTES, make);
}

/** Returns whether every message with this room fits into a frame in its shortest form. */
export const isWithinFrame = (participants: number, make: (form: Form) => RoomPayload): boolean =>
  participants <= ALWAYS_FITS_SHORT || isWithin(make(LEAST), LEAST_ROOM_BYTES);

/** Returns the first rooms that fit together into an answer over HTTP. */
export function fittedList<T>(rooms: readonly T[]): readonly T[] {
  let left = LIMITS.httpBodyBytes - USER_BYTES;
  const over = rooms.findIndex((room) => (left -= bytesOf(room) + 1) < 0);
  return over === -1 ? rooms : rooms.slice(0, over);
}
