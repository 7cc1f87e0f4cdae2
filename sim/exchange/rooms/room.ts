/** A room in the memory of the exchange. It has no timers of its own and sends nothing. */
import type { Timer } from '../../../src/common/clock.ts';
import type { UserPayload } from '../../../src/protocol/entities.ts';
import type {
  MediaDirection,
  ParticipantPayload,
  ParticipantState,
  RoomPayload,
  RoomType,
} from '../../../src/protocol/room-entities.ts';
import type { CustomItems } from '../calls/custom-items.ts';
import type { DeviceId } from '../directory/sessions.ts';
import { formFor, isWithinFrame, type Form } from './fit.ts';
import type { RoomMedia } from './room-media.ts';

/** An endpoint of a participant: a peer connection to the media server. */
export interface MemberEndpoint {
  readonly id: string;
  readonly audio: MediaDirection;
  readonly video: MediaDirection;
  isConnected: boolean;
  /** The participants whose media this endpoint gets. */
  readonly sources: Set<string>;
  /** Releases the endpoint when it does not connect in time. */
  readonly limit: Timer;
}

/** A participant who is in a room. */
export interface Member {
  readonly id: string;
  readonly user: UserPayload;
  readonly device: DeviceId;
  /** Milliseconds since the epoch, for messages. */
  readonly enteredAt: number;
  /** The same moment by the monotonic clock, from which the duration is computed. */
  readonly enteredClock: number;
  updatedAt: number;
  state: ParticipantState;
  isAudioOn: boolean;
  isVideoOn: boolean;
  /** Ends the participation after too long a silence. */
  silence: Timer | null;
  readonly endpoints: Map<string, MemberEndpoint>;
}

/** An invitation that was neither answered nor canceled. */
export interface PendingInvitation {
  readonly room: Room;
  readonly inviter: UserPayload;
  readonly invitee: UserPayload;
  /** Milliseconds since the epoch. */
  readonly sentAt: number;
  /** Cancels the invitation when the invitee does not answer in time. */
  readonly limit: Timer;
}

/** A room, open or deleted. */
export interface Room {
  readonly id: string;
  readonly type: RoomType;
  readonly createdAt: number;
  /** Empty after the account of the creator was closed. */
  createdBy: string;
  /** Milliseconds since the epoch. Null while the room is open. */
  deletedAt: number | null;
  items: CustomItems;
  /** The number of the last event. */
  sequence: number;
  /** The participants by id, in the order of their entry. Only {@link RoomPeople} changes them, and the invitations. */
  readonly members: Map<string, Member>;
  /** The pending invitations by {@link invitationKey}. */
  readonly invitations: Map<string, PendingInvitation>;
  /** The connections to the media server. Null before the first endpoint. */
  media: RoomMedia | null;
}

export const invitationKey = (inviterId: string, inviteeId: string): string => JSON.stringify([inviterId, inviteeId]);

/** The moment of a message: the wall clock for its times, and the monotonic clock for its durations. */
export interface Instant {
  readonly wall: number;
  readonly clock: number;
}

const isSameDevice = (one: DeviceId, other: DeviceId) => one.userId === other.userId && one.clientId === other.clientId;

/** Returns the participant of a device. Undefined when it is not in the room. */
export const memberOf = ({ members }: Room, device: DeviceId): Member | undefined =>
  [...members.values()].find((member) => isSameDevice(member.device, device));

/** Returns the participants of a user. A user with several devices in a room has several. */
export const membersOf = ({ members }: Room, userId: string): Member[] =>
  [...members.values()].filter((member) => member.device.userId === userId);

/** Returns a participant as messages to a device carry it (§3). `exited` is the moment of the exit, else null. */
export function participantPayload(
  member: Member,
  receiver: DeviceId | null,
  now: Instant,
  exited: Instant | null = null,
): ParticipantPayload {
  const { id, user, device, enteredAt, updatedAt, state, isAudioOn, isVideoOn } = member;
  return {
    participant_id: id,
    entered_at: enteredAt,
    updated_at: updatedAt,
    exited_at: exited && exited.wall,
    duration: Math.floor(Math.max(0, (exited ?? now).clock - member.enteredClock) / 1_000),
    state,
    user,
    is_local_participant: receiver !== null && isSameDevice(device, receiver),
    client_id: device.clientId,
    is_audio_on: isAudioOn,
    is_video_on: isVideoOn,
  };
}

function roomIn(room: Room, receiver: DeviceId | null, now: Instant, form: Form): RoomPayload {
  return {
    room_id: room.id,
    state: room.deletedAt === null ? 'open' : 'deleted',
    room_type: room.type,
    custom_items: { ...room.items.items },
    custom_items_affected_at: room.items.affectedAt,
    created_at: room.createdAt,
    created_by: room.createdBy,
    current_participants: [...room.members.values()].map((member) => {
      const one = participantPayload(member, receiver, now);
      const client_id = form.hasClientIds || one.is_local_participant ? one.client_id : '';
      return { ...one, user: form.inRoom(one.user), client_id };
    }),
    sequence_number: room.sequence,
  };
}

/**
 * Returns a payload that fits into a frame, with a room as a device gets it (§3), and with what is beside the room.
 *
 * @param users - the users beside the room.
 */
export function payloadWithRoom<T extends object>(
  room: Room,
  receiver: DeviceId | null,
  now: Instant,
  users: readonly UserPayload[],
  beside: (user: Form['beside']) => T,
): T & { readonly room: RoomPayload } {
  const form = formFor(room, users);
  return { ...beside(form.beside), room: roomIn(room, receiver, now, form) };
}

/** Returns a room as messages to a device carry it (§3). */
export const roomPayload = (room: Room, receiver: DeviceId | null, now: Instant): RoomPayload =>
  payloadWithRoom(room, receiver, now, [], () => ({})).room;

/** Returns whether each message with a room would fit into a frame after a change of its participants or items. */
export const wouldFit = (room: Room, change: Partial<Pick<Room, 'members' | 'items'>>): boolean =>
  isWithinFrame({ ...room, ...change });

/** Returns whether an endpoint sends media to the room: a master. Else it is a viewer. */
export const isMaster = ({ audio, video }: Pick<MemberEndpoint, 'audio' | 'video'>): boolean =>
  [audio, video].some((direction) => direction === 'sendonly' || direction === 'sendrecv');

/** Returns the endpoint by which a participant sends. Undefined before there is one. */
export const masterOf = ({ endpoints }: Member): MemberEndpoint | undefined => [...endpoints.values()].find(isMaster);
