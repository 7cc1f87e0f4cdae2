/** The requests about rooms over HTTP (§7). Their bodies and answers are those of the commands. */
import * as v from 'valibot';
import { endpoints } from './endpoint.ts';
import { userId } from './entities.ts';
import { HEADERS } from './http.ts';
import { ROOM_LIMITS } from './limits.ts';
import { ROOM_COMMANDS, ROOM_REPLIES } from './messages/rooms.ts';
import { endpointId, participantId, roomId, roomList, roomState, roomType } from './room-entities.ts';
import { ROOM_PATHS } from './room-paths.ts';

const ofRoom = v.object({ room_id: roomId });
const ofParticipant = v.object({ ...ofRoom.entries, participant_id: participantId });
const ofEndpoint = v.object({ ...ofParticipant.entries, endpoint_id: endpointId });

const { default: PAGE, min, max } = ROOM_LIMITS.roomPage;

/** The largest number of participants that a column of 32 bits can be compared with. */
const MOST_PARTICIPANTS = 2 ** 31 - 1;

/** A text of a whole number that is not below zero: a time or a count. */
const numberText = v.pipe(v.string(), v.nonEmpty(), v.toNumber(), v.safeInteger(), v.minValue(0));
const optionalTime = v.optional(numberText);
const optionalCount = v.optional(v.pipe(numberText, v.maxValue(MOST_PARTICIPANTS)));

/** Returns the schema of a comma-joined list of ids, each of which counts once. */
const idList = (id: v.GenericSchema<string, string>) =>
  v.optional(
    v.pipe(
      v.string(),
      v.transform((list) => [...new Set(list.split(',').filter((one) => one !== ''))]),
      v.array(id),
      v.maxLength(ROOM_LIMITS.roomQueryIds),
    ),
    '',
  );

/**
 * The query of rooms. Lists are comma-joined, dates are milliseconds since the epoch, and both bounds are included.
 * `next` and `prev` are the cursors of the former answer, of which a request has one.
 */
const roomQuery = v.pipe(
  v.object({
    type: v.optional(roomType),
    state: v.optional(roomState),
    limit: v.optional(
      v.pipe(v.string(), v.nonEmpty(), v.toNumber(), v.toMinValue(min), v.toMaxValue(max), v.integer()),
      String(PAGE),
    ),
    current_participant_range_gte: optionalCount,
    current_participant_range_lte: optionalCount,
    created_by_user_ids: idList(v.pipe(userId, v.excludes('\0'))),
    room_ids: idList(roomId),
    created_at_start_date: optionalTime,
    created_at_end_date: optionalTime,
    next: v.optional(roomId),
    prev: v.optional(roomId),
  }),
  v.forward(
    v.check(({ current_participant_range_gte: from = 0, current_participant_range_lte: to = Infinity }) => from <= to),
    ['current_participant_range_gte'],
  ),
  v.forward(
    v.check(({ created_at_start_date: from = 0, created_at_end_date: to = Infinity }) => from <= to),
    ['created_at_start_date'],
  ),
  v.forward(
    v.check(({ next, prev }) => next === undefined || prev === undefined),
    ['prev'],
  ),
);

/** What a handler of a room may refuse with, besides the faults of the request itself. */
const inRoom = { 403: ['ERR_NO_PERMISSION'], 404: ['ERR_ROOM_DELETED', 'ERR_INVALID_ROOM_PARTICIPANT'] } as const;
const anyRoom = { 404: ['ERR_ROOM_DELETED'] } as const;
const permitted = { ...anyRoom, 403: ['ERR_NO_PERMISSION'] } as const;

/** A request that adds something, which the exchange runs once when it is repeated. */
const once = { header: HEADERS.requestId } as const;

const switched = { body: v.object({ on: v.boolean() }), answer: ROOM_REPLIES.room_audio } as const;
const toInvitee = v.object({ invitee_id: userId });

export const ROOM_API = endpoints({
  createRoom: {
    method: 'POST',
    path: ROOM_PATHS.rooms,
    access: 'user',
    ...once,
    about: 'Creates a room.',
    body: ROOM_COMMANDS.room_create,
    answer: ROOM_REPLIES.room_create,
    errors: { 403: ['ERR_NO_PERMISSION'] },
  },
  listRooms: {
    method: 'GET',
    path: ROOM_PATHS.rooms,
    access: 'user',
    about: 'Returns a page of rooms, newest first.',
    query: roomQuery,
    answer: roomList,
  },
  getRoom: {
    method: 'GET',
    path: ROOM_PATHS.room,
    access: 'user',
    about: 'Returns a room with its participants.',
    params: ofRoom,
    answer: ROOM_REPLIES.room_get,
    errors: anyRoom,
  },
  deleteRoom: {
    method: 'DELETE',
    path: ROOM_PATHS.room,
    access: 'user',
    about: 'Deletes a room for all its participants.',
    params: ofRoom,
    answer: ROOM_REPLIES.room_delete,
    errors: permitted,
  },
  enterRoom: {
    method: 'POST',
    path: ROOM_PATHS.participants,
    access: 'user',
    ...once,
    about: 'Adds this client to a room. kick_siblings removes the other participants of its user.',
    params: ofRoom,
    body: v.omit(ROOM_COMMANDS.room_enter, ['room_id']),
    answer: ROOM_REPLIES.room_enter,
    errors: { ...anyRoom, 409: ['ERR_CLIENT_ALREADY_ENTERED', 'ERR_ROOM_MAX_PARTICIPANTS'] },
  },
  exitRoom: {
    method: 'DELETE',
    path: ROOM_PATHS.participant,
    access: 'user',
    about: 'Removes this client from a room.',
    params: ofParticipant,
    answer: ROOM_REPLIES.room_exit,
    errors: inRoom,
  },
  roomAlive: {
    method: 'POST',
    path: ROOM_PATHS.alive,
    access: 'user',
    about: 'Keeps this client in a room.',
    params: ofParticipant,
    answer: ROOM_REPLIES.room_alive,
    errors: inRoom,
  },
  roomAudio: {
    method: 'PUT',
    path: ROOM_PATHS.audio,
    access: 'user',
    about: 'States whether the microphone of this client is on.',
    params: ofParticipant,
    ...switched,
    errors: inRoom,
  },
  roomVideo: {
    method: 'PUT',
    path: ROOM_PATHS.video,
    access: 'user',
    about: 'States whether the camera of this client is on.',
    params: ofParticipant,
    ...switched,
    errors: inRoom,
  },
  createEndpoint: {
    method: 'POST',
    path: ROOM_PATHS.endpoints,
    access: 'user',
    ...once,
    about: 'Makes an endpoint for an offer of this client, and answers the offer.',
    params: ofParticipant,
    body: v.omit(ROOM_COMMANDS.endpoint_create, ['room_id', 'participant_id']),
    answer: ROOM_REPLIES.endpoint_create,
    errors: { ...inRoom, 409: ['ERR_PARTICIPANT_ALREADY_HAS_SEND_ENDPOINT'] },
  },
  putEndpoint: {
    method: 'PUT',
    path: ROOM_PATHS.endpoint,
    access: 'user',
    about: 'Negotiates an endpoint again.',
    params: ofEndpoint,
    body: v.pick(ROOM_COMMANDS.endpoint_put, ['sdp']),
    answer: ROOM_REPLIES.endpoint_put,
    errors: inRoom,
  },
  releaseEndpoint: {
    method: 'DELETE',
    path: ROOM_PATHS.endpoint,
    access: 'user',
    about: 'Closes an endpoint. With attach_to it only stops the media of that participant.',
    params: ofEndpoint,
    body: v.optional(v.object({ attach_to: v.optional(participantId) })),
    answer: ROOM_REPLIES.endpoint_release,
    errors: inRoom,
  },
  attachEndpoint: {
    method: 'POST',
    path: ROOM_PATHS.attach,
    access: 'user',
    about: 'Sends the media of another participant to an endpoint.',
    params: ofEndpoint,
    body: v.pick(ROOM_COMMANDS.endpoint_attach, ['attach_to']),
    answer: ROOM_REPLIES.endpoint_attach,
    errors: { ...inRoom, 409: ['ERR_SEND_ENDPOINT_CANNOT_ATTACH'] },
  },
  endpointConnected: {
    method: 'POST',
    path: ROOM_PATHS.connected,
    access: 'user',
    about: 'Reports that an endpoint has connected.',
    params: ofEndpoint,
    answer: ROOM_REPLIES.endpoint_connected,
    errors: inRoom,
  },
  roomCustomItems: {
    method: 'GET',
    path: ROOM_PATHS.customItems,
    access: 'user',
    about: 'Returns the custom items of a room.',
    params: ofRoom,
    answer: ROOM_REPLIES.room_custom_items_get,
    errors: anyRoom,
  },
  putRoomCustomItems: {
    method: 'PUT',
    path: ROOM_PATHS.customItems,
    access: 'user',
    about: 'Adds custom items to a room, or replaces those of the same keys.',
    params: ofRoom,
    body: v.object({
      custom_items: ROOM_COMMANDS.room_custom_items_update.entries.custom_items,
      mode: v.literal('upsert'),
    }),
    answer: ROOM_REPLIES.room_custom_items_update,
    errors: permitted,
  },
  deleteRoomCustomItems: {
    method: 'DELETE',
    path: ROOM_PATHS.customItems,
    access: 'user',
    about: 'Deletes custom items of a room. Without keys it deletes all of them.',
    params: ofRoom,
    body: v.optional(v.pick(ROOM_COMMANDS.room_custom_items_delete, ['keys'])),
    answer: ROOM_REPLIES.room_custom_items_delete,
    errors: permitted,
  },
  sendInvitation: {
    method: 'POST',
    path: ROOM_PATHS.invitation,
    access: 'user',
    ...once,
    about: 'Invites a user into a room.',
    params: ofRoom,
    body: toInvitee,
    answer: ROOM_REPLIES.invitation_send,
    errors: {
      ...permitted,
      400: ['ERR_DIAL_MYSELF'],
      404: ['ERR_ROOM_DELETED', 'ERR_CALLEE_DOES_NOT_EXIST', 'ERR_CALLEE_NEVER_AUTHENTICATE'],
    },
  },
  cancelInvitation: {
    method: 'DELETE',
    path: ROOM_PATHS.invitation,
    access: 'user',
    about: 'Cancels an invitation of this user.',
    params: ofRoom,
    body: toInvitee,
    answer: ROOM_REPLIES.invitation_cancel,
    errors: permitted,
  },
  answerInvitation: {
    method: 'PUT',
    path: ROOM_PATHS.invitation,
    access: 'visitor',
    about:
      'Accepts or declines an invitation, or reports that it was received. The short-lived token of the invitation allows one report, which may be repeated.',
    params: ofRoom,
    header: HEADERS.shortLivedToken,
    body: v.object({ action: v.picklist(['receive', 'accept', 'decline']), inviter_id: userId }),
    answer: ROOM_REPLIES.invitation_receive,
    errors: permitted,
  },
});
