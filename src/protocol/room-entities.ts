/** The entities of rooms (§3), in their wire form. Times are milliseconds since the epoch, durations seconds. */
import * as v from 'valibot';
import { user } from './entities.ts';
import { LIMITS } from './limits.ts';

/** An identifier that the exchange makes: of a room, a participant, an endpoint. PostgreSQL stores no NUL character. */
const madeId = v.pipe(v.string(), v.minLength(1), v.maxLength(LIMITS.idChars), v.excludes('\0'));
export const roomId = madeId;
export const participantId = madeId;
export const endpointId = madeId;

/** The id by which a client names its own participant, whose id it may not know. The exchange makes no such id. */
export const OWN_PARTICIPANT = 'me';

/** The types of a room (§3). Its type decides the direction of media (§9), and the most participants (D26). */
export const ROOM_TYPES = [
  'small_room_for_audio_only',
  'large_room_for_audio_only',
  'small_room_for_video',
  'large_room_for_video',
] as const;
export const roomType = v.picklist(ROOM_TYPES);
export type RoomType = v.InferOutput<typeof roomType>;

const ROOM_STATES = ['open', 'deleted'] as const;
export const roomState = v.picklist(ROOM_STATES);
export type RoomState = v.InferOutput<typeof roomState>;

/** The states of a participant: without media, with media, and gone (§3). */
const PARTICIPANT_STATES = ['entered', 'connected', 'exited'] as const;
export const participantState = v.picklist(PARTICIPANT_STATES);
export type ParticipantState = v.InferOutput<typeof participantState>;

/** A participant of a room: one client of a user. A user with two clients in a room is two participants. */
export const participant = v.object({
  participant_id: participantId,
  entered_at: v.number(),
  updated_at: v.number(),
  /** Null while the participant is in the room. */
  exited_at: v.nullable(v.number()),
  /** The whole seconds in the room so far, or until the exit. */
  duration: v.number(),
  state: participantState,
  user,
  /** Whether the participant is the client that receives the message. */
  is_local_participant: v.boolean(),
  client_id: v.string(),
  is_audio_on: v.boolean(),
  is_video_on: v.boolean(),
});
export type ParticipantPayload = v.InferOutput<typeof participant>;

/** A room, with the participants who are in it, in the order of their entry. */
export const room = v.object({
  room_id: roomId,
  state: roomState,
  room_type: roomType,
  custom_items: v.record(v.string(), v.string()),
  /** When the custom items changed last. */
  custom_items_affected_at: v.number(),
  created_at: v.number(),
  /** The id of the user who created the room. */
  created_by: v.string(),
  current_participants: v.array(participant),
  /** The number of the room's last event. This room includes that event and those before it. */
  sequence_number: v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
});
export type RoomPayload = v.InferOutput<typeof room>;

/** The answer of a query of rooms (§3, room list result). A cursor is null at its end of the list. */
export const roomList = v.object({
  rooms: v.array(room),
  prev: v.nullable(v.string()),
  next: v.nullable(v.string()),
});

/** The direction of one kind of media of an endpoint, as its client sees it (RFC 8829 §4.2.3). */
export const mediaDirection = v.picklist(['sendrecv', 'sendonly', 'recvonly', 'inactive']);
export type MediaDirection = v.InferOutput<typeof mediaDirection>;

/** The reason why a participant was disconnected. A reason that is not known reads as it is. */
export type DisconnectReason = 'sibling_kicked' | 'connection_lost';
export const disconnectReason = v.pipe(v.string(), v.maxLength(LIMITS.nameChars));
