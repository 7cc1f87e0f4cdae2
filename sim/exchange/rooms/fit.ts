/** Rooms and users that fit into a frame of the channel. The sizes are upper bounds, which cost no copy of a room. */
import type { UserPayload } from '../../../src/protocol/entities.ts';
import { LIMITS } from '../../../src/protocol/limits.ts';

/** The most bytes of a user in a message about a room. */
const USER_BYTES = 4_096;
/** The most bytes of an envelope: its request id may be 128 characters, each of six bytes of JSON. */
const ENVELOPE_BYTES = 900;
/** The most bytes of a room without its participants, its items and the id of its creator. */
const ROOM_BYTES = 300;
/** The most bytes of a participant without its user and its client id. */
const PARTICIPANT_BYTES = 264;
/** The most bytes beside the users and the room: a participant with its client id, or a token. */
const BESIDE_BYTES = 560;
const PAYLOAD_BYTES = LIMITS.frameBytes - ENVELOPE_BYTES - ROOM_BYTES;
/** The most bytes beside a room in its shortest form: two users with ids of 128 characters of six bytes, and a token. */
const LEAST_BESIDE_BYTES = 1_800;

/** How much a message has of the participants of a room, and of the users beside it. */
export interface Form {
  readonly inRoom: (user: UserPayload) => UserPayload;
  readonly beside: (user: UserPayload) => UserPayload;
  /** Whether other participants have their client ids. */
  readonly hasClientIds: boolean;
}

const shortest = (user: UserPayload): UserPayload => ({ ...user, metadata: {}, profile_url: '', nickname: '' });

/** The forms of a user, each shorter than the one before. */
const USER_FORMS: readonly Form['inRoom'][] = [
  (user) => user,
  (user) => ({ ...user, metadata: {} }),
  (user) => ({ ...user, metadata: {}, profile_url: '' }),
  shortest,
];
const LEAST_USER = USER_FORMS.length - 1;

const bytesOf = (value: unknown): number => new TextEncoder().encode(JSON.stringify(value)).length;

/** Returns a function that computes something of an object once. */
function once<Of extends object, T>(compute: (of: Of) => T): (of: Of) => T {
  const known = new WeakMap<Of, T>();
  return (of) => {
    const value = known.get(of) ?? compute(of);
    known.set(of, value);
    return value;
  };
}

/** The bytes of a user in each of its forms. */
const userSizes = once((user: UserPayload) => USER_FORMS.map((form) => bytesOf(form(user))));
/** The bytes of a client id. */
const clientSize = once(({ clientId }: { readonly clientId: string }) => bytesOf(clientId));
const itemsSize = once(bytesOf);

/** A room as its size depends on it. The users, the devices and the items never change. */
interface Sized {
  readonly members: ReadonlyMap<string, { readonly user: UserPayload; readonly device: { readonly clientId: string } }>;
  readonly items: { readonly items: object };
  readonly createdBy: string;
}

/** The forms of a message, each shorter than the one before: of the users in the room, beside it, and the client ids. */
const FORMS = [
  ...USER_FORMS.map((_, inRoom) => ({ inRoom, beside: 0, hasClientIds: true })),
  { inRoom: LEAST_USER, beside: 0, hasClientIds: false },
  { inRoom: LEAST_USER, beside: LEAST_USER, hasClientIds: false },
] as const;
type Sizes = (typeof FORMS)[number];

function sizeOfRoom({ members, items, createdBy }: Sized, { inRoom, hasClientIds }: Sizes): number {
  let bytes = itemsSize(items.items) + bytesOf(createdBy);
  for (const { user, device } of members.values()) {
    bytes += PARTICIPANT_BYTES + (userSizes(user)[inRoom] ?? 0) + (hasClientIds ? clientSize(device) : 2);
  }
  return bytes;
}

const formOf = ({ inRoom, beside, hasClientIds }: Sizes): Form => ({
  inRoom: USER_FORMS[inRoom] ?? shortest,
  beside: USER_FORMS[beside] ?? shortest,
  hasClientIds,
});

/** Returns a user without the metadata, the picture and the nickname, in this order, as far as they are too long. */
export function fittedUser(user: UserPayload): UserPayload {
  const fits = userSizes(user).findIndex((bytes) => bytes <= USER_BYTES);
  return (USER_FORMS[fits] ?? shortest)(user);
}

/**
 * Returns the form in which a message with a room fits into a frame. As far as needed its participants have no metadata,
 * pictures, nicknames and client ids, in this order, and then the users beside the room have only their ids.
 *
 * @param beside - the users in the message besides those in the room.
 */
export function formFor(room: Sized, beside: readonly UserPayload[]): Form {
  const fitting = FORMS.find((form) => {
    const bytesBeside = beside.reduce((sum, user) => sum + (userSizes(user)[form.beside] ?? 0), 0);
    return sizeOfRoom(room, form) + bytesBeside + BESIDE_BYTES <= PAYLOAD_BYTES;
  });
  return formOf(fitting ?? FORMS[FORMS.length - 1] ?? FORMS[0]);
}

/** Returns whether every message with this room fits into a frame in its shortest form. */
export const isWithinFrame = (room: Sized): boolean =>
  sizeOfRoom(room, { inRoom: LEAST_USER, beside: LEAST_USER, hasClientIds: false }) + LEAST_BESIDE_BYTES <=
  PAYLOAD_BYTES;

/** Returns the first rooms that fit together into an answer over HTTP. */
export function fittedList<T>(rooms: readonly T[]): readonly T[] {
  let left = LIMITS.httpBodyBytes - USER_BYTES;
  const over = rooms.findIndex((room) => (left -= bytesOf(room) + 1) < 0);
  return over === -1 ? rooms : rooms.slice(0, over);
}
