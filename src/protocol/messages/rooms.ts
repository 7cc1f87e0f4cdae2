/**
 * The commands, replies and events of rooms, one schema each (§7). They belong to the group COMM. The reply to a command
 * `x` has the type `x_ack`. The tables are separate from those of direct calls, since the library loads rooms on first
 * use (ADR 0027).
 */
import * as v from 'valibot';
import { boundedList } from '../bounded-list.ts';
import { customItemKey, customItems, user, userId } from '../entities.ts';
import { LIMITS } from '../limits.ts';
import {
  disconnectReason,
  endpointId,
  mediaDirection,
  participant,
  participantId,
  room,
  roomId,
  roomType,
} from '../room-entities.ts';

/** The group of every message about a room. */
export const ROOM_GROUP = 'COMM';

const compressedSdp = v.pipe(v.string(), v.minLength(1), v.maxLength(LIMITS.compressedSdpChars));

const ofRoom = v.object({ room_id: roomId });
const ofParticipant = v.object({ ...ofRoom.entries, participant_id: participantId });
const ofEndpoint = v.object({ ...ofParticipant.entries, endpoint_id: endpointId });
const ofSource = v.object({ ...ofEndpoint.entries, attach_to: participantId });
const switched = v.object({ ...ofParticipant.entries, on: v.boolean() });
const toInvitee = v.object({ ...ofRoom.entries, invitee_id: userId });
const ofInviter = v.object({ ...ofRoom.entries, inviter_id: userId });

export const ROOM_COMMANDS = {
  room_create: v.object({ type: roomType, custom_items: v.optional(customItems) }),
  room_get: ofRoom,
  /** Adds this client as a participant. `kick_siblings` disconnects the user's other participants in the room. */
  room_enter: v.object({
    ...ofRoom.entries,
    is_audio_on: v.boolean(),
    is_video_on: v.boolean(),
    kick_siblings: v.optional(v.boolean(), false),
  }),
  room_exit: ofParticipant,
  room_delete: ofRoom,
  /** Keeps the participant in the room. Sent every 5 s (§9). */
  room_alive: ofParticipant,
  room_audio: switched,
  room_video: switched,
  /** Makes an endpoint for the offer of this client. The sdp is compressed as that of a direct call. */
  endpoint_create: v.object({
    ...ofParticipant.entries,
    sdp: compressedSdp,
    audio_attr: mediaDirection,
    video_attr: mediaDirection,
  }),
  /** Negotiates an endpoint again. */
  endpoint_put: v.object({ ...ofEndpoint.entries, sdp: compressedSdp }),
  endpoint_release: ofEndpoint,
  /** Sends the media of another participant to a viewer endpoint. */
  endpoint_attach: ofSource,
  endpoint_detach: ofSource,
  endpoint_connected: ofEndpoint,
  invitation_send: toInvitee,
  invitation_cancel: toInvitee,
  invitation_accept: ofInviter,
  invitation_decline: ofInviter,
  /** Reports that this client got the invitation. Over HTTP, the short-lived token of the invitation is enough. */
  invitation_receive: ofInviter,
  room_custom_items_get: ofRoom,
  room_custom_items_update: v.object({ ...ofRoom.entries, custom_items: customItems }),
  /** Without keys, all items are deleted. */
  room_custom_items_delete: v.object({
    ...ofRoom.entries,
    keys: v.optional(boundedList(customItemKey, LIMITS.customItems)),
  }),
} as const;

const theRoom = v.object({ room });
const thisParticipant = v.object({ me: participant });
const acknowledged = ofRoom;
const answered = v.object({ endpoint_id: endpointId, sdp: compressedSdp });
const invitation = v.object({ room, inviter: user, invitee: user });
const items = v.object({
  custom_items: v.record(v.string(), v.string()),
  updated: v.optional(v.array(v.string()), []),
  deleted: v.optional(v.array(v.string()), []),
  affected_at: v.number(),
});

export const ROOM_REPLIES = {
  room_create: theRoom,
  room_get: theRoom,
  room_enter: v.object({ me: participant, room }),
  room_exit: acknowledged,
  room_delete: acknowledged,
  /** `sequence_number` is that of the room's last event: a higher one than the client's shows a lost event. */
  room_alive: v.object({
    ...ofRoom.entries,
    alive_at: v.number(),
    sequence_number: room.entries.sequence_number,
  }),
  room_audio: thisParticipant,
  room_video: thisParticipant,
  endpoint_create: answered,
  endpoint_put: answered,
  endpoint_release: acknowledged,
  endpoint_attach: acknowledged,
  endpoint_detach: acknowledged,
  endpoint_connected: acknowledged,
  invitation_send: invitation,
  invitation_cancel: invitation,
  invitation_accept: invitation,
  invitation_decline: invitation,
  invitation_receive: invitation,
  room_custom_items_get: items,
  room_custom_items_update: items,
  room_custom_items_delete: items,
} as const satisfies Record<keyof typeof ROOM_COMMANDS, v.GenericSchema>;

const aboutParticipant = v.object({ ...ofRoom.entries, participant });
const ofSwitch = v.object({ ...aboutParticipant.entries, on: v.boolean() });

/**
 * The events of a room (§7). An event about a room goes to each participant, and its `sequence_number` counts the events
 * of the room from 1 without gaps. An event about an invitation has the number 0.
 */
export const ROOM_EVENTS = {
  custom_items_update: v.object({
    ...ofRoom.entries,
    custom_items: v.record(v.string(), v.string()),
    updated: v.array(v.string()),
    affected_at: v.number(),
  }),
  custom_items_delete: v.object({
    ...ofRoom.entries,
    custom_items: v.record(v.string(), v.string()),
    deleted: v.array(v.string()),
    affected_at: v.number(),
  }),
  room_deleted: ofRoom,
  participant_entered: aboutParticipant,
  participant_connected: aboutParticipant,
  participant_exited: aboutParticipant,
  /** The exchange removed the participant. Also sent to that participant. */
  participant_disconnected: v.object({ ...aboutParticipant.entries, reason: disconnectReason }),
  participant_audio_status_changed: ofSwitch,
  participant_video_status_changed: ofSwitch,
  /** To the devices of the invitee. The token authorises `invitation_receive` without a session. */
  invitation_sent: v.object({ ...invitation.entries, short_lived_token: v.string() }),
  /** To the inviter: a device of the invitee got the invitation. */
  invitation_received: invitation,
  /** To the inviter, and to the other devices of the invitee. So is `invitation_declined`. */
  invitation_accepted: invitation,
  invitation_declined: invitation,
  /** To the devices of the invitee, and to the other devices of the inviter. */
  invitation_canceled: invitation,
} as const;

export type RoomCommandType = keyof typeof ROOM_COMMANDS;
export type RoomCommandPayload<T extends RoomCommandType> = v.InferOutput<(typeof ROOM_COMMANDS)[T]>;
/** Any command about a room, discriminated by `type`. */
export type RoomCommand = {
  [T in RoomCommandType]: {
    readonly cmd: typeof ROOM_GROUP;
    readonly type: T;
    readonly payload: RoomCommandPayload<T>;
  };
}[RoomCommandType];
export type RoomReply<T extends RoomCommandType> = v.InferOutput<(typeof ROOM_REPLIES)[T]>;

export type RoomEventType = keyof typeof ROOM_EVENTS;
export type RoomEventPayload<T extends RoomEventType> = v.InferOutput<(typeof ROOM_EVENTS)[T]>;
/** Any event about a room or an invitation, discriminated by `type`. */
export type RoomEvent = {
  [T in RoomEventType]: { readonly cmd: typeof ROOM_GROUP; readonly type: T; readonly payload: RoomEventPayload<T> };
}[RoomEventType];
