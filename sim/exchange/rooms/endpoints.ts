/** The endpoints of participants: their peer connections to the media server (§4, §9). */
import { CallError, ErrorCode, invalidValue } from '../../../src/protocol/errors.ts';
import type { RoomCommandPayload, RoomReply } from '../../../src/protocol/messages/rooms.ts';
import { ROOM_DIRECTIONS, type EndpointDirections } from '../../../src/protocol/room-directions.ts';
import { packSdp } from '../../../src/protocol/sdp-codec.ts';
import type { DeviceId } from '../directory/sessions.ts';
import type { Core } from '../core.ts';
import { requireMember, type RoomNeeds } from './membership.ts';
import { publishAbout } from './publish.ts';
import { isMaster, masterOf, type Member, type MemberEndpoint, type Room } from './room.ts';

export type EndpointNeeds = RoomNeeds & Pick<Core, 'roomMedia' | 'unpackSdp'>;

const isSame = (one: EndpointDirections, other: EndpointDirections | null) =>
  one.audio === other?.audio && one.video === other.video;

/**
 * Makes an endpoint for the offer of a client.
 *
 * @throws CallError `INVALID_PARAMETER_VALUE` with `audio_attr` when the room's type has no such endpoint.
 *   `ERR_PARTICIPANT_ALREADY_HAS_SEND_ENDPOINT` for a second one that sends. `ERR_NO_PERMISSION` for more endpoints than
 *   the room has participants. `ERR_INVALID_ROOM_PARTICIPANT` also when the participant left meanwhile.
 */
export async function createEndpoint(
  core: EndpointNeeds,
  room: Room,
  from: DeviceId,
  { participant_id, sdp, audio_attr, video_attr }: RoomCommandPayload<'endpoint_create'>,
): Promise<RoomReply<'endpoint_create'>> {
  const member = requireMember(core, room, from, participant_id);
  const directions = { audio: audio_attr, video: video_attr };
  const { master, viewer } = ROOM_DIRECTIONS[room.type];
  if (!isSame(directions, master) && !isSame(directions, viewer)) throw invalidValue('audio_attr');
  if (isMaster(directions) && masterOf(member)) {
    throw new CallError(ErrorCode.ERR_PARTICIPANT_ALREADY_HAS_SEND_ENDPOINT);
  }
  if (member.endpoints.size >= core.settings.roomSizes[room.type]) throw new CallError(ErrorCode.ERR_NO_PERMISSION);
  const media = mediaOf(core, room);
  const id = core.ids.uuid();
  const limit = core.clock.after(core.settings.endpointConnectMs, () => release(room, member, endpoint));
  const endpoint: MemberEndpoint = { id, ...directions, isConnected: false, sources: new Set(), limit };
  // The place is taken before the media server answers: a second request sees it.
  member.endpoints.set(endpoint.id, endpoint);
  const plan = { endpointId: endpoint.id, participantId: member.id, ...directions };
  try {
    const answer = await media.create(plan, core.unpackSdp(sdp));
    if (member.endpoints.get(endpoint.id) !== endpoint) throw new CallError(ErrorCode.ERR_INVALID_ROOM_PARTICIPANT);
    return { endpoint_id: endpoint.id, sdp: packSdp(answer) };
  } catch (error) {
    release(room, member, endpoint);
    // The media server may have made it after its participant left.
    media.release(endpoint.id);
    throw error;
  }
}

/** Closes an endpoint. Does nothing when its participant has it no more. */
function release({ media }: Room, member: Member, endpoint: MemberEndpoint): void {
  endpoint.limit.cancel();
  if (member.endpoints.delete(endpoint.id)) media?.release(endpoint.id);
}

/**
 * Forgets an endpoint that the media server has closed. Its viewers keep their source, and get the next master of the
 * participant. Its client sees the loss of the connection, and makes another endpoint (EP-07).
 */
function lost(room: Room, endpointId: string): void {
  for (const member of room.members.values()) {
    const endpoint = member.endpoints.get(endpointId);
    if (endpoint) release(room, member, endpoint);
  }
}

function mediaOf(core: EndpointNeeds, room: Room) {
  if (!core.roomMedia) {
    throw new CallError(ErrorCode.ERR_SERVER_INTERNAL_ERROR, { message: 'This exchange has no media server.' });
  }
  room.media ??= core.roomMedia.open(room.id, room.type, (endpointId) => lost(room, endpointId));
  return room.media;
}

/**
 * Returns an endpoint of a participant.
 * @throws CallError `ERR_INVALID_ROOM_PARTICIPANT` as requireMember, and for an unknown endpoint.
 */
function requireEndpoint(
  core: EndpointNeeds,
  room: Room,
  from: DeviceId,
  { participant_id, endpoint_id }: RoomCommandPayload<'endpoint_release'>,
): { member: Member; endpoint: MemberEndpoint } {
  const member = requireMember(core, room, from, participant_id);
  const endpoint = member.endpoints.get(endpoint_id);
  if (!endpoint) throw new CallError(ErrorCode.ERR_INVALID_ROOM_PARTICIPANT);
  return { member, endpoint };
}

/** Negotiates an endpoint again. @throws CallError as requireEndpoint. */
export async function putEndpoint(
  core: EndpointNeeds,
  room: Room,
  from: DeviceId,
  payload: RoomCommandPayload<'endpoint_put'>,
): Promise<RoomReply<'endpoint_put'>> {
  const { member, endpoint } = requireEndpoint(core, room, from, payload);
  const answer = await mediaOf(core, room).negotiate(endpoint.id, core.unpackSdp(payload.sdp));
  if (member.endpoints.get(endpoint.id) !== endpoint) throw new CallError(ErrorCode.ERR_INVALID_ROOM_PARTICIPANT);
  return { endpoint_id: endpoint.id, sdp: packSdp(answer) };
}

/** Closes an endpoint. @throws CallError as requireEndpoint. */
export function releaseEndpoint(
  core: EndpointNeeds,
  room: Room,
  from: DeviceId,
  payload: RoomCommandPayload<'endpoint_release'>,
): void {
  const { member, endpoint } = requireEndpoint(core, room, from, payload);
  release(room, member, endpoint);
}

/**
 * Sends the media of another participant to an endpoint, in place of that of a former one.
 *
 * @throws CallError as requireEndpoint. `INVALID_PARAMETER_VALUE` for an endpoint that sends, and for the participant
 *   itself. `ERR_SEND_ENDPOINT_CANNOT_ATTACH` when the other participant is unknown or does not send yet: the client
 *   tries again (§9, B59).
 */
export function attachEndpoint(
  core: EndpointNeeds,
  room: Room,
  from: DeviceId,
  payload: RoomCommandPayload<'endpoint_attach'>,
): void {
  const { member, endpoint } = requireEndpoint(core, room, from, payload);
  const source = room.members.get(payload.attach_to);
  if (isMaster(endpoint) || source === member) throw invalidValue('attach_to');
  const master = source && masterOf(source);
  if (!source || !master?.isConnected) throw new CallError(ErrorCode.ERR_SEND_ENDPOINT_CANNOT_ATTACH);
  if (endpoint.sources.has(source.id)) return;
  for (const former of endpoint.sources) detach(room, endpoint, former);
  endpoint.sources.add(source.id);
  room.media?.attach(endpoint.id, master.id);
}

/** Stops sending the media of another participant to an endpoint. @throws CallError as requireEndpoint. */
export function detachEndpoint(
  core: EndpointNeeds,
  room: Room,
  from: DeviceId,
  payload: RoomCommandPayload<'endpoint_detach'>,
): void {
  detach(room, requireEndpoint(core, room, from, payload).endpoint, payload.attach_to);
}

function detach({ media, members }: Room, endpoint: MemberEndpoint, sourceId: string): void {
  const source = members.get(sourceId);
  const master = source && masterOf(source);
  if (endpoint.sources.delete(sourceId) && master) media?.detach(endpoint.id, master.id);
}

/**
 * Records that an endpoint connected. The participant of a master is then connected, and the viewers of its former
 * master get the new one. @throws CallError as requireEndpoint.
 */
export function endpointConnected(
  core: EndpointNeeds,
  room: Room,
  from: DeviceId,
  payload: RoomCommandPayload<'endpoint_connected'>,
): void {
  const { member, endpoint } = requireEndpoint(core, room, from, payload);
  endpoint.limit.cancel();
  if (endpoint.isConnected) return;
  endpoint.isConnected = true;
  if (!isMaster(endpoint)) return;
  for (const viewer of [...room.members.values()].flatMap(({ endpoints }) => [...endpoints.values()])) {
    if (viewer.sources.has(member.id)) room.media?.attach(viewer.id, endpoint.id);
  }
  if (member.state !== 'entered') return;
  member.state = 'connected';
  member.updatedAt = core.clock.wallTime();
  publishAbout(core, room, member, { type: 'participant_connected' });
}
