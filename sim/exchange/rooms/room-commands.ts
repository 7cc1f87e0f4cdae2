import { invalidValue } from '../../../src/protocol/errors.ts';
import { PROTOCOL_VERSION } from '../../../src/protocol/limits.ts';
import type {
  RoomCommand,
  RoomCommandPayload,
  RoomCommandType,
  RoomReply,
} from '../../../src/protocol/messages/rooms.ts';
import { readRoomReply } from '../../../src/protocol/room-envelope.ts';
import { deleted, upserted, type ItemsChange } from '../calls/custom-items.ts';
import type { Core } from '../core.ts';
import { findUsers } from '../directory/find-user.ts';
import type { DeviceId } from '../directory/sessions.ts';
import {
  attachEndpoint,
  createEndpoint,
  detachEndpoint,
  endpointConnected,
  putEndpoint,
  releaseEndpoint,
  type EndpointNeeds,
} from './endpoints.ts';
import {
  answerInvitation,
  cancelInvitation,
  cancelInvitations,
  invitationReceived,
  requireInviter,
  sendInvitation,
  type InvitationNeeds,
} from './invitations.ts';
import {
  deleteRoom,
  enter,
  leave,
  refuseWhileDraining,
  requireMember,
  switchMedia,
  type RoomNeeds,
} from './membership.ts';
import { instant, publish } from './publish.ts';
import { roomPayload, wouldFit, type Room } from './room.ts';

export type RoomCommandNeeds = EndpointNeeds & InvitationNeeds & Pick<Core, 'cluster' | 'policy' | 'store' | 'users'>;

/** Runs one command of one device about a room in memory. */
type Handler<T extends RoomCommandType> = (
  core: RoomCommandNeeds,
  room: Room,
  from: DeviceId,
  payload: RoomCommandPayload<T>,
) => RoomReply<T> | Promise<RoomReply<T>>;

/** A command about a room that exists. */
type AboutRoom = Exclude<RoomCommandType, 'room_create'>;

/** Returns a handler whose reply only acknowledges the command. */
const acknowledged =
  <Payload>(act: (core: RoomCommandNeeds, room: Room, from: DeviceId, payload: Payload) => void) =>
  (core: RoomCommandNeeds, room: Room, from: DeviceId, payload: Payload) => {
    act(core, room, from, payload);
    return { room_id: room.id };
  };

const HANDLERS: { readonly [T in AboutRoom]: Handler<T> } = {
  room_get: (core, room, from) => ({ room: roomPayload(room, from, instant(core)) }),
  room_enter: enter,
  room_exit: acknowledged((core, room, from, { participant_id }: RoomCommandPayload<'room_exit'>) =>
    leave(core, room, requireMember(core, room, from, participant_id), null),
  ),
  room_delete: acknowledged((core, room, from) =>
    deleteRoom(core, room, from, () => cancelInvitations(core, room.invitations.values())),
  ),
  room_alive: (core, room, from, { participant_id }) => {
    requireMember(core, room, from, participant_id);
    return { room_id: room.id, alive_at: core.clock.wallTime(), sequence_number: room.sequence };
  },
  room_audio: (core, room, from, payload) => switchMedia(core, room, from, 'audio', payload),
  room_video: (core, room, from, payload) => switchMedia(core, room, from, 'video', payload),
  endpoint_create: createEndpoint,
  endpoint_put: putEndpoint,
  endpoint_release: acknowledged(releaseEndpoint),
  endpoint_attach: acknowledged(attachEndpoint),
  endpoint_detach: acknowledged(detachEndpoint),
  endpoint_connected: acknowledged(endpointConnected),
  invitation_send: (core, room, from, { invitee_id }) => sendInvitation(core, room, from, invitee_id),
  invitation_cancel: (core, room, from, { invitee_id }) => cancelInvitation(core, room, from, invitee_id),
  invitation_accept: (core, room, from, { inviter_id }) =>
    answerInvitation(core, room, from, inviter_id, 'invitation_accepted'),
  invitation_decline: (core, room, from, { inviter_id }) =>
    answerInvitation(core, room, from, inviter_id, 'invitation_declined'),
  invitation_receive: (core, room, from, { inviter_id }) => invitationReceived(core, room, from, inviter_id),
  room_custom_items_get: (_, room) => itemsOf(room),
  room_custom_items_update: (core, room, from, { custom_items }) =>
    changeItems(core, room, from, upserted(room.items.items, custom_items)),
  room_custom_items_delete: (core, room, from, { keys }) =>
    changeItems(core, room, from, deleted(room.items.items, keys)),
};

/**
 * Runs a command about a room.
 *
 * @param requestId - the id by which a repeated command runs once. Null without one.
 * @throws CallError, or rejects with it: `ERR_ROOM_DELETED` for a room that is deleted or unknown, and what the handler
 *   of the command throws.
 */
export function runRoomCommand(
  core: RoomCommandNeeds,
  from: DeviceId,
  command: RoomCommand,
  requestId: string | null,
): RoomReply<RoomCommandType> | Promise<RoomReply<RoomCommandType>> {
  if (command.type === 'room_create') return createRoom(core, from, command.payload, requestId);
  // The type chose the handler, so the payload belongs to it.
  const handle = HANDLERS[command.type] as (
    core: RoomCommandNeeds,
    room: Room,
    from: DeviceId,
    payload: RoomCommandPayload<AboutRoom>,
  ) => RoomReply<AboutRoom> | Promise<RoomReply<AboutRoom>>;
  const run = () => core.rooms.with(command.payload.room_id, (room) => handle(core, room, from, command.payload), from);
  if (core.cluster === null) return run();
  const invitee = command.type === 'invitation_send' ? [command.payload.invitee_id] : [];
  return findUsers(core, [from.userId, ...invitee]).then(run);
}

/**
 * Creates a room, or returns the one that the same request has created at another exchange. While this exchange drains,
 * another one creates it.
 *
 * @throws CallError `ERR_NO_PERMISSION` for a user with too many open rooms. `ERR_SERVER_INTERNAL_ERROR` while an
 *   exchange drains that is alone, and when the other exchanges cannot be reached. `ERR_ROOM_DELETED` when the room of the same
 *   request is deleted.
 */
async function createRoom(
  core: RoomCommandNeeds,
  from: DeviceId,
  { type, custom_items = {} }: RoomCommandPayload<'room_create'>,
  requestId: string | null,
): Promise<RoomReply<'room_create'>> {
  const { clock, ids, rooms, settings, cluster, store } = core;
  const elsewhere = await cluster?.roomCreator?.()?.command(from, {
    ...{ version: PROTOCOL_VERSION, request_id: requestId ?? ids.uuid(), cmd: 'COMM', type: 'room_create' },
    payload: { type, custom_items },
  });
  if (elsewhere) return readRoomReply('room_create', elsewhere);
  refuseWhileDraining(core);
  const ownId = ids.uuid();
  const id = (requestId !== null && (await cluster?.beforeRoom?.(from, requestId, ownId))) || ownId;
  // Without a record, the other exchange has not created the room: this one does, with the same id.
  if (id !== ownId && (await store.rooms.find(id))) return getRoom(core, from, id);
  const room = await rooms.create(from, settings.roomsPerUser, () => {
    const createdAt = clock.wallTime();
    return {
      id,
      type,
      createdAt,
      createdBy: from.userId,
      deletedAt: null,
      items: { items: custom_items, affectedAt: createdAt },
      sequence: 0,
      members: new Map(),
      invitations: new Map(),
      media: null,
    };
  });
  return { room: roomPayload(room, from, instant(core)) };
}

/** Returns a room as its owner has it, which may be another exchange. */
async function getRoom(core: RoomCommandNeeds, from: DeviceId, roomId: string): Promise<RoomReply<'room_create'>> {
  const owner = await core.cluster?.ownerOfRoom?.(roomId);
  const reply = await owner?.command(from, {
    ...{ version: PROTOCOL_VERSION, request_id: core.ids.uuid(), cmd: 'COMM', type: 'room_get' },
    payload: { room_id: roomId },
  });
  if (reply) return readRoomReply('room_get', reply);
  return { room: await core.rooms.with(roomId, (room) => roomPayload(room, from, instant(core)), from) };
}

const itemsOf = ({ items: { items, affectedAt } }: Room) => ({
  custom_items: { ...items },
  updated: [],
  deleted: [],
  affected_at: affectedAt,
});

/**
 * Changes the custom items of a room. The participants get an event when the items differ.
 * @throws CallError `ERR_NO_PERMISSION` when the user is neither in the room nor its creator. `INVALID_PARAMETER_VALUE`
 *   when no frame could hold the room with the items.
 */
function changeItems(
  core: RoomNeeds,
  room: Room,
  from: DeviceId,
  { items, updated, deleted: gone }: ItemsChange,
): RoomReply<'room_custom_items_update'> {
  requireInviter(room, from);
  if (updated.length + gone.length === 0) return itemsOf(room);
  if (!wouldFit(room, { items: { items, affectedAt: room.items.affectedAt } })) {
    throw invalidValue('custom_items');
  }
  // The time grows also when the wall clock was set back, so that the newer of two states is known (ENT-03).
  const affected_at = Math.max(core.clock.wallTime(), room.items.affectedAt + 1);
  room.items = { items, affectedAt: affected_at };
  const about = { room_id: room.id, custom_items: { ...items }, affected_at };
  publish(
    core,
    room,
    updated.length > 0
      ? { cmd: 'COMM', type: 'custom_items_update', payload: { ...about, updated: [...updated] } }
      : { cmd: 'COMM', type: 'custom_items_delete', payload: { ...about, deleted: [...gone] } },
    from,
  );
  return { custom_items: about.custom_items, updated: [...updated], deleted: [...gone], affected_at };
}
