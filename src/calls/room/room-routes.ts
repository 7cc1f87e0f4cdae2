/**
 * The request over HTTP of each command about a room (§7). Only types of the table of the calling service are used here:
 * the table itself, with its schemas and texts, would make the code of rooms larger.
 */
import type { CallingApi } from '../../protocol/calling-api.ts';
import { filledPath } from '../../protocol/endpoint.ts';
import type { RoomCommandPayload, RoomCommandType } from '../../protocol/messages/rooms.ts';
import { ROOM_PATHS } from '../../protocol/room-paths.ts';

interface Route {
  readonly method: CallingApi[keyof CallingApi]['method'];
  readonly path: string;
  readonly body?: object;
}

type Routes = { readonly [T in RoomCommandType]: (payload: RoomCommandPayload<T>) => Route };

const answered =
  (action: 'accept' | 'decline' | 'receive') =>
  ({ room_id, inviter_id }: RoomCommandPayload<'invitation_accept'>): Route => ({
    method: 'PUT',
    path: filledPath(ROOM_PATHS.invitation, { room_id }),
    body: { action, inviter_id },
  });

export const ROOM_ROUTES: Routes = {
  room_create: (body) => ({ method: 'POST', path: ROOM_PATHS.rooms, body }),
  room_get: (of) => ({ method: 'GET', path: filledPath(ROOM_PATHS.room, of) }),
  room_enter: ({ room_id, ...body }) => ({
    method: 'POST',
    path: filledPath(ROOM_PATHS.participants, { room_id }),
    body,
  }),
  room_exit: (of) => ({ method: 'DELETE', path: filledPath(ROOM_PATHS.participant, of) }),
  room_delete: (of) => ({ method: 'DELETE', path: filledPath(ROOM_PATHS.room, of) }),
  room_alive: (of) => ({ method: 'POST', path: filledPath(ROOM_PATHS.alive, of), body: {} }),
  room_audio: ({ on, ...of }) => ({ method: 'PUT', path: filledPath(ROOM_PATHS.audio, of), body: { on } }),
  room_video: ({ on, ...of }) => ({ method: 'PUT', path: filledPath(ROOM_PATHS.video, of), body: { on } }),
  endpoint_create: ({ room_id, participant_id, ...body }) => ({
    method: 'POST',
    path: filledPath(ROOM_PATHS.endpoints, { room_id, participant_id }),
    body,
  }),
  endpoint_put: ({ sdp, ...of }) => ({ method: 'PUT', path: filledPath(ROOM_PATHS.endpoint, of), body: { sdp } }),
  endpoint_release: (of) => ({ method: 'DELETE', path: filledPath(ROOM_PATHS.endpoint, of) }),
  endpoint_attach: ({ attach_to, ...of }) => ({
    method: 'POST',
    path: filledPath(ROOM_PATHS.attach, of),
    body: { attach_to },
  }),
  endpoint_detach: ({ attach_to, ...of }) => ({
    method: 'DELETE',
    path: filledPath(ROOM_PATHS.endpoint, of),
    body: { attach_to },
  }),
  endpoint_connected: (of) => ({ method: 'POST', path: filledPath(ROOM_PATHS.connected, of), body: {} }),
  invitation_send: ({ room_id, ...body }) => ({
    method: 'POST',
    path: filledPath(ROOM_PATHS.invitation, { room_id }),
    body,
  }),
  invitation_cancel: ({ room_id, ...body }) => ({
    method: 'DELETE',
    path: filledPath(ROOM_PATHS.invitation, { room_id }),
    body,
  }),
  invitation_accept: answered('accept'),
  invitation_decline: answered('decline'),
  invitation_receive: answered('receive'),
  room_custom_items_get: (of) => ({ method: 'GET', path: filledPath(ROOM_PATHS.customItems, of) }),
  room_custom_items_update: ({ room_id, custom_items }) => ({
    method: 'PUT',
    path: filledPath(ROOM_PATHS.customItems, { room_id }),
    body: { custom_items, mode: 'upsert' },
  }),
  room_custom_items_delete: ({ room_id, keys }) => ({
    method: 'DELETE',
    path: filledPath(ROOM_PATHS.customItems, { room_id }),
    ...(keys ? { body: { keys } } : {}),
  }),
};
