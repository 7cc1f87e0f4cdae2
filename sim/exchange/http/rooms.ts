/** The requests about rooms over HTTP. Each runs as the command of the same name (§7). */
import * as v from 'valibot';
import { requestId as requestIdSchema, type ReplyFrame } from '../../../src/protocol/envelope.ts';
import { CallError, ErrorCode, invalidValue } from '../../../src/protocol/errors.ts';
import { HEADERS } from '../../../src/protocol/http.ts';
import type {
  RoomCommand,
  RoomCommandPayload,
  RoomCommandType,
  RoomReply,
} from '../../../src/protocol/messages/rooms.ts';
import { PROTOCOL_VERSION } from '../../../src/protocol/limits.ts';
import type { ROOM_API } from '../../../src/protocol/room-api.ts';
import { readRoomReply } from '../../../src/protocol/room-envelope.ts';
import { answerOnce, RequestConflict } from '../commands/answer-once.ts';
import type { Core } from '../core.ts';
import type { DeviceId } from '../directory/sessions.ts';
import { fittedList } from '../rooms/fit.ts';
import { runRoomCommand } from '../rooms/room-commands.ts';
import { instant } from '../rooms/publish.ts';
import { roomPayload, type Room } from '../rooms/room.ts';
import type { RoomRecord } from '../rooms/room-store.ts';
import { clientIdOf } from './authenticate.ts';
import type { Answer, Asked, Handlers } from './handlers.ts';
import { refuse, refuseValue, refuseWith } from './refusals.ts';

/** The HTTP status of each refusal of a command about a room. Default: 400. */
const STATUS: Readonly<Record<number, number>> = {
  [ErrorCode.USER_NOT_AUTHENTICATED]: 401,
  [ErrorCode.ERR_NO_PERMISSION]: 403,
  [ErrorCode.ERR_ROOM_DELETED]: 404,
  [ErrorCode.ERR_INVALID_ROOM_PARTICIPANT]: 404,
  [ErrorCode.ERR_CALLEE_DOES_NOT_EXIST]: 404,
  [ErrorCode.ERR_CALLEE_NEVER_AUTHENTICATE]: 404,
  [ErrorCode.ERR_ROOM_MAX_PARTICIPANTS]: 409,
  [ErrorCode.ERR_CLIENT_ALREADY_ENTERED]: 409,
  [ErrorCode.ERR_SEND_ENDPOINT_CANNOT_ATTACH]: 409,
  [ErrorCode.ERR_PARTICIPANT_ALREADY_HAS_SEND_ENDPOINT]: 409,
  [ErrorCode.ERR_SERVER_INTERNAL_ERROR]: 503,
};

/**
 * Runs a command about a room for a device.
 *
 * @param requestId - the id by which a repeated command runs once. Null without one.
 * @throws HttpRefusal with the code of the command's refusal. 400 for an id that no frame may have. 409
 *   when the id belonged to another command before.
 */
async function run<T extends RoomCommandType>(
  core: Core,
  device: DeviceId,
  type: T,
  payload: RoomCommandPayload<T>,
  requestId: string | null = null,
): Promise<RoomReply<T>> {
  // The type and the payload belong together.
  const command = { cmd: 'COMM', type, payload } as RoomCommand;
  if (requestId !== null && !v.is(requestIdSchema, requestId)) throw refuseValue(HEADERS.requestId);
  const act = () => runRoomCommand(core, device, command, requestId);
  try {
    const elsewhere = core.cluster && (await runElsewhere(core, device, command, requestId));
    if (elsewhere) return readRoomReply(type, elsewhere);
    if (requestId === null) return await act();
    const frame = { ...command, version: PROTOCOL_VERSION, request_id: requestId };
    return readRoomReply(type, await answerOnce(core, device, frame, act));
  } catch (error) {
    if (error instanceof RequestConflict) throw refuseWith(409, invalidValue(HEADERS.requestId));
    if (!(error instanceof CallError)) throw error;
    if (requestId === null) core.events.emit({ kind: 'refused', code: error.code });
    throw refuseWith(STATUS[error.code] ?? 400, error);
  }
}

/** Returns the reply of the node that owns the room of a command. Null when this node does. */
async function runElsewhere(
  core: Core,
  device: DeviceId,
  command: RoomCommand,
  requestId: string | null,
): Promise<ReplyFrame | null> {
  if (!core.cluster?.ownerOfRoom || !('room_id' in command.payload)) return null;
  const owner = await core.cluster.ownerOfRoom(command.payload.room_id);
  const frame = { ...command, version: PROTOCOL_VERSION, request_id: requestId ?? core.ids.uuid() };
  return (await owner?.command(device, frame)) ?? null;
}

/** Handles `GET /v1/rooms`: a page of rooms, newest first. @throws HttpRefusal 400 for a cursor that was invented. */
async function listRooms(core: Core, { device, query }: Asked<'listRooms'>): Promise<Answer<'listRooms'>> {
  await core.roomQueue.settled();
  const cursor = query.next ?? query.prev;
  const page = await core.store.rooms.query({
    type: query.type ?? null,
    state: query.state ?? null,
    roomIds: query.room_ids,
    createdBy: query.created_by_user_ids,
    participants: [query.current_participant_range_gte ?? null, query.current_participant_range_lte ?? null],
    createdAt: [query.created_at_start_date ?? null, query.created_at_end_date ?? null],
    limit: query.limit,
    beside: cursor === undefined ? null : { roomId: cursor, side: query.next === undefined ? 'before' : 'after' },
  });
  if (!page) throw refuseValue(query.next === undefined ? 'prev' : 'next');
  const now = instant(core);
  const all = page.rooms.map((record) => roomPayload(core.rooms.get(record.roomId) ?? emptyRoom(record), device, now));
  // The rooms beside the cursor remain when the page is too large.
  const isBefore = query.prev !== undefined;
  const fitting = fittedList(isBefore ? all.toReversed() : all);
  const rooms = isBefore ? fitting.toReversed() : [...fitting];
  const isCut = rooms.length < all.length;
  return {
    rooms,
    prev: page.hasPrevious || (isCut && isBefore) ? (rooms[0]?.room_id ?? null) : null,
    next: page.hasNext || (isCut && !isBefore) ? (rooms.at(-1)?.room_id ?? null) : null,
  };
}

const emptyRoom = (record: RoomRecord): Room => ({
  ...record,
  id: record.roomId,
  members: new Map(),
  invitations: new Map(),
  media: null,
});

/**
 * Handles `PUT /v1/rooms/{roomId}/invitation`. A client without a session reports with the short-lived token of the
 * invitation that it got it (INV-03).
 *
 * @throws HttpRefusal 401 for a token that is unknown, expired, of another room or used for another inviter, and for
 *   another action with it.
 */
async function answerInvitation(
  core: Core,
  { device, params: { room_id }, header, head, body: { action, inviter_id } }: Asked<'answerInvitation'>,
): Promise<Answer<'answerInvitation'>> {
  if (device) return run(core, device, `invitation_${action}`, { room_id, inviter_id });
  const token = header ?? '';
  const isReport = action === 'receive';
  const granted = isReport ? await core.shortLivedTokens.use(token, room_id, inviter_id, clientIdOf(head)) : undefined;
  if (!granted) throw refuse(401, 'USER_NOT_AUTHENTICATED');
  // A repeated report gets the same answer, and no further event is sent.
  return run(core, granted, 'invitation_receive', { room_id, inviter_id }, token);
}

/** The handlers of the requests about rooms. */
export const ROOM_HANDLERS: Pick<Handlers, keyof typeof ROOM_API> = {
  createRoom: (core, { device, body, header }) => run(core, device, 'room_create', body, header),
  listRooms,
  getRoom: (core, { device, params }) => run(core, device, 'room_get', params),
  deleteRoom: (core, { device, params }) => run(core, device, 'room_delete', params),
  enterRoom: (core, { device, params, body, header }) =>
    run(core, device, 'room_enter', { ...params, ...body }, header),
  exitRoom: (core, { device, params }) => run(core, device, 'room_exit', params),
  roomAlive: (core, { device, params }) => run(core, device, 'room_alive', params),
  roomAudio: (core, { device, params, body }) => run(core, device, 'room_audio', { ...params, ...body }),
  roomVideo: (core, { device, params, body }) => run(core, device, 'room_video', { ...params, ...body }),
  createEndpoint: (core, { device, params, body, header }) =>
    run(core, device, 'endpoint_create', { ...params, ...body }, header),
  putEndpoint: (core, { device, params, body }) => run(core, device, 'endpoint_put', { ...params, ...body }),
  releaseEndpoint: (core, { device, params, body }) =>
    body?.attach_to === undefined
      ? run(core, device, 'endpoint_release', params)
      : run(core, device, 'endpoint_detach', { ...params, attach_to: body.attach_to }),
  attachEndpoint: (core, { device, params, body }) => run(core, device, 'endpoint_attach', { ...params, ...body }),
  endpointConnected: (core, { device, params }) => run(core, device, 'endpoint_connected', params),
  roomCustomItems: (core, { device, params }) => run(core, device, 'room_custom_items_get', params),
  putRoomCustomItems: (core, { device, params, body: { custom_items } }) =>
    run(core, device, 'room_custom_items_update', { ...params, custom_items }),
  deleteRoomCustomItems: (core, { device, params, body }) =>
    run(core, device, 'room_custom_items_delete', { ...params, ...body }),
  sendInvitation: (core, { device, params, body, header }) =>
    run(core, device, 'invitation_send', { ...params, ...body }, header),
  cancelInvitation: (core, { device, params, body }) => run(core, device, 'invitation_cancel', { ...params, ...body }),
  answerInvitation,
};
