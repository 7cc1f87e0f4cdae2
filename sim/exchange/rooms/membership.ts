/** How participants enter a room, stay in it and leave it. */
import { CallError, ErrorCode } from '../../../src/protocol/errors.ts';
import type { RoomCommandPayload, RoomReply } from '../../../src/protocol/messages/rooms.ts';
import { OWN_PARTICIPANT, type DisconnectReason } from '../../../src/protocol/room-entities.ts';
import type { Core } from '../core.ts';
import type { Delivery } from '../delivery/deliver.ts';
import type { DeviceId } from '../directory/sessions.ts';
import { fittedUser } from './fit.ts';
import { instant, publish, publishAbout } from './publish.ts';
import {
  masterOf,
  memberOf,
  membersOf,
  participantPayload,
  payloadWithRoom,
  wouldFit,
  type Member,
  type Room,
} from './room.ts';

export type RoomNeeds = Delivery &
  Pick<
    Core,
    | 'channels'
    | 'clock'
    | 'cluster'
    | 'devices'
    | 'events'
    | 'log'
    | 'rooms'
    | 'sessions'
    | 'settings'
    | 'status'
    | 'store'
    | 'users'
    | 'roomQueue'
  >;

/**
 * Returns the participant of a command, who is heard by it. `OWN_PARTICIPANT` names that of the client.
 *
 * @throws CallError `ERR_NO_PERMISSION` for a client in the room that names another participant, which it sees (B58).
 *   `ERR_INVALID_ROOM_PARTICIPANT` for an unknown participant, and for any participant when the client is not in the
 *   room: one answer covers both (S20).
 */
export function requireMember(core: RoomNeeds, room: Room, from: DeviceId, participantId: string): Member {
  const own = memberOf(room, from);
  const member = participantId === OWN_PARTICIPANT ? own : room.members.get(participantId);
  if (!member || !own) throw new CallError(ErrorCode.ERR_INVALID_ROOM_PARTICIPANT);
  if (member !== own) throw new CallError(ErrorCode.ERR_NO_PERMISSION);
  heard(core, room, member);
  return member;
}

/**
 * Restarts the time after which a silent participant is lost. A participant without a channel here may be at another
 * node. A node that was cut off does not lose that participant.
 */
export function heard(core: RoomNeeds, room: Room, member: Member): void {
  member.silence?.cancel();
  const { roomSilenceMs } = core.settings;
  member.silence = core.clock.after(roomSilenceMs, () => {
    // A device of this node that disconnected meanwhile may be at another node too.
    const isUnheard = !core.channels.has(member.device) && core.cluster?.hasHeardOthers?.(roomSilenceMs) === false;
    if (isUnheard) heard(core, room, member);
    else leave(core, room, member, 'connection_lost');
  });
}

/**
 * Refuses what would end with an exchange that is alone. Another node of a cluster continues it.
 *
 * @throws CallError `ERR_SERVER_INTERNAL_ERROR` while the exchange drains without a cluster.
 */
export function refuseWhileDraining({ status, cluster }: Pick<Core, 'status' | 'cluster'>): void {
  if (!status.isDraining || cluster) return;
  throw new CallError(ErrorCode.ERR_SERVER_INTERNAL_ERROR, {
    message: 'The server is about to restart. Try again in a moment.',
  });
}

/**
 * Adds a client to a room.
 *
 * @throws CallError `ERR_CLIENT_ALREADY_ENTERED` for a client that is in the room. `ERR_ROOM_MAX_PARTICIPANTS` when the
 *   room is full, and when no frame could hold it with the ids of one more participant. `ERR_SERVER_INTERNAL_ERROR` while an exchange drains that
 *   is alone. `USER_NOT_AUTHENTICATED` when the login ended.
 */
export function enter(
  core: RoomNeeds,
  room: Room,
  from: DeviceId,
  { is_audio_on, is_video_on, kick_siblings }: RoomCommandPayload<'room_enter'>,
): RoomReply<'room_enter'> {
  const user = core.users.payload(from.userId);
  // The login may have ended while the room was read. Another node of a cluster has checked the login of its devices.
  const isElsewhere = core.cluster !== null && !core.channels.has(from);
  const hasLogin = core.sessions.tokenOf(from) !== undefined || isElsewhere;
  if (!user || !hasLogin) throw new CallError(ErrorCode.USER_NOT_AUTHENTICATED);
  refuseWhileDraining(core);
  if (memberOf(room, from)) throw new CallError(ErrorCode.ERR_CLIENT_ALREADY_ENTERED);
  const siblings = kick_siblings ? membersOf(room, from.userId) : [];
  if (room.members.size - siblings.length >= core.settings.roomSizes[room.type]) {
    throw new CallError(ErrorCode.ERR_ROOM_MAX_PARTICIPANTS);
  }
  const now = instant(core);
  const member: Member = {
    id: core.ids.uuid(),
    user: fittedUser(user),
    device: { ...from },
    enteredAt: now.wall,
    enteredClock: now.clock,
    updatedAt: now.wall,
    state: 'entered',
    isAudioOn: is_audio_on,
    isVideoOn: is_video_on,
    silence: null,
    endpoints: new Map(),
  };
  const others = [...room.members.values()].filter((one) => !siblings.includes(one));
  const members = new Map([...others, member].map((one) => [one.id, one]));
  if (!wouldFit(room, { members })) throw new CallError(ErrorCode.ERR_ROOM_MAX_PARTICIPANTS);
  for (const sibling of siblings) leave(core, room, sibling, 'sibling_kicked');
  core.rooms.people.enter(room, member);
  heard(core, room, member);
  publishAbout(core, room, member, { type: 'participant_entered' }, member);
  core.events.emit({ kind: 'presence', userId: from.userId });
  const me = participantPayload(member, from, now);
  return payloadWithRoom(room, from, now, [me.user], (form) => ({ me: { ...me, user: form(me.user) } }));
}

/**
 * Removes a participant from a room, with its endpoints, and stores its stay.
 *
 * @param reason - why the exchange removes it. Null when it leaves.
 */
export function leave(core: RoomNeeds, room: Room, member: Member, reason: DisconnectReason | null): void {
  if (member.state === 'exited') return;
  closeEndpoints(room, member);
  end(core, room, member, reason);
  // A participant who is removed learns it by the event. A participant who leaves knows it.
  if (reason === null) core.rooms.people.leave(room, member);
  publishAbout(
    core,
    room,
    member,
    reason === null ? { type: 'participant_exited' } : { type: 'participant_disconnected', reason },
  );
  core.rooms.people.leave(room, member);
  if (room.members.size === 0) closeMedia(room);
  core.events.emit({ kind: 'presence', userId: member.device.userId });
}

/** Removes every participant of a room without an event, and closes its media. */
export function removeAll(core: RoomNeeds, room: Room, reason: string): void {
  const members = [...room.members.values()];
  for (const member of members) core.rooms.people.leave(room, member);
  for (const member of members) end(core, room, member, reason);
  closeMedia(room);
  if (members.length > 0) core.rooms.changed(room);
}

/** Removes every participant of a room without an event: another exchange has the room, with its participants. */
export function letGoOfAll(core: RoomNeeds, room: Room): void {
  stopTimers(room);
  for (const member of [...room.members.values()]) core.rooms.people.leave(room, member);
  core.rooms.forget(room);
}

/** Stops the timers and the media of a room, which another exchange continues as it is. */
export function stopTimers(room: Room): void {
  for (const { limit } of room.invitations.values()) limit.cancel();
  for (const member of room.members.values()) stop(member);
  closeMedia(room);
}

function stop({ silence, endpoints }: Member): void {
  silence?.cancel();
  for (const { limit } of endpoints.values()) limit.cancel();
  endpoints.clear();
}

/** Ends the timers and endpoints of a participant, and stores its stay. */
function end(core: RoomNeeds, room: Room, member: Member, reason: string | null): void {
  const { id, device, enteredAt, enteredClock } = member;
  const now = instant(core);
  stop(member);
  member.state = 'exited';
  member.updatedAt = now.wall;
  const duration = now.clock - enteredClock;
  const stay = { participantId: id, roomId: room.id, ...device, enteredAt, exitedAt: now.wall, duration, reason };
  // Only the client of the stay may rely on it.
  core.roomQueue.keep('a stay in a room', () => core.store.rooms.saveStay(stay), { kind: 'stays', devices: [device] });
}

function closeEndpoints({ media, members }: Room, member: Member): void {
  const master = masterOf(member);
  for (const viewer of [...members.values()].flatMap(({ endpoints }) => [...endpoints.values()])) {
    if (viewer.sources.delete(member.id) && master) media?.detach(viewer.id, master.id);
  }
  for (const { id } of member.endpoints.values()) media?.release(id);
}

function closeMedia(room: Room): void {
  room.media?.close();
  room.media = null;
}

/**
 * Changes whether a participant's microphone or camera is on. The participants get an event when it differs.
 */
export function switchMedia(
  core: RoomNeeds,
  room: Room,
  from: DeviceId,
  kind: 'audio' | 'video',
  { participant_id, on }: RoomCommandPayload<'room_audio'>,
): RoomReply<'room_audio'> {
  const member = requireMember(core, room, from, participant_id);
  const field = kind === 'audio' ? 'isAudioOn' : 'isVideoOn';
  if (member[field] !== on) {
    member[field] = on;
    member.updatedAt = core.clock.wallTime();
    publishAbout(core, room, member, { type: `participant_${kind}_status_changed`, on });
  }
  return { me: participantPayload(member, from, instant(core)) };
}

/**
 * Deletes a room for all. Its participants get an event.
 *
 * @throws CallError `ERR_NO_PERMISSION` when this client is not in the room (S21).
 */
export function deleteRoom(core: RoomNeeds, room: Room, from: DeviceId, cancelInvitations: () => void): void {
  if (!memberOf(room, from)) throw new CallError(ErrorCode.ERR_NO_PERMISSION);
  room.deletedAt = core.clock.wallTime();
  publish(core, room, { cmd: 'COMM', type: 'room_deleted', payload: { room_id: room.id } }, from);
  const userIds = new Set([...room.members.values()].map(({ device }) => device.userId));
  removeAll(core, room, 'room_deleted');
  cancelInvitations();
  for (const userId of userIds) core.events.emit({ kind: 'presence', userId });
}
