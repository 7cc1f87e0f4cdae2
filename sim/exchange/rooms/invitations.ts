/** Invitations into rooms (§3, §6). */
import type { DeliveryInfo } from '../../../src/protocol/envelope.ts';
import { CallError, ErrorCode } from '../../../src/protocol/errors.ts';
import type { RoomEventPayload, RoomReply } from '../../../src/protocol/messages/rooms.ts';
import type { Core } from '../core.ts';
import type { DeviceId } from '../directory/sessions.ts';
import { fittedUser } from './fit.ts';
import { refuseWhileDraining, type RoomNeeds } from './membership.ts';
import { instant, notify } from './publish.ts';
import { invitationKey, membersOf, payloadWithRoom, type PendingInvitation, type Room } from './room.ts';

export type InvitationNeeds = RoomNeeds & Pick<Core, 'invitations' | 'policy' | 'shortLivedTokens'>;

const devicesOf = ({ devices }: Pick<Core, 'devices'>, userId: string): DeviceId[] =>
  devices.clientsOf(userId).map((clientId) => ({ userId, clientId }));

const othersOf = (core: Pick<Core, 'devices'>, { userId, clientId }: DeviceId): DeviceId[] =>
  devicesOf(core, userId).filter((device) => device.clientId !== clientId);

type Invitation = RoomReply<'invitation_send'>;

const payloadOf = (core: RoomNeeds, { room, inviter, invitee }: PendingInvitation): Invitation =>
  payloadWithRoom(room, null, instant(core), [inviter, invitee], (form) => ({
    inviter: form(inviter),
    invitee: form(invitee),
  }));

/**
 * Invites a user, whose devices get an event. A second invitation of the same user into the room replaces the first.
 * Above `invitationsPerPair` into different rooms, the oldest is canceled.
 *
 * @throws CallError, or rejects with it: `ERR_NO_PERMISSION` when the inviter is neither in the room nor its creator, and
 *   when the host does not allow it. `ERR_DIAL_MYSELF` for the inviter itself. `ERR_CALLEE_DOES_NOT_EXIST` for an unknown
 *   user, `ERR_CALLEE_NEVER_AUTHENTICATE` for one who never logged in. `ERR_SERVER_INTERNAL_ERROR` above the rate limit
 *   of invitations, with too many pending ones, and while the exchange drains. `ERR_ROOM_DELETED` when the room was
 *   deleted while the host decided.
 */
export function sendInvitation(
  core: InvitationNeeds,
  room: Room,
  from: DeviceId,
  inviteeId: string,
): Invitation | Promise<Invitation> {
  refuseWhileDraining(core);
  requireInviter(room, from);
  if (inviteeId === from.userId) throw new CallError(ErrorCode.ERR_DIAL_MYSELF);
  if (!core.users.payload(inviteeId)) throw new CallError(ErrorCode.ERR_CALLEE_DOES_NOT_EXIST);
  if (!core.users.hasAuthenticated(inviteeId)) throw new CallError(ErrorCode.ERR_CALLEE_NEVER_AUTHENTICATE);
  if (!core.invitations.take(from.userId)) {
    throw new CallError(ErrorCode.ERR_SERVER_INTERNAL_ERROR, { message: 'Too many invitations. Try again later.' });
  }
  const { mayInvite } = core.policy;
  if (mayInvite === undefined) return invite(core, room, from, inviteeId);
  return mayInvite({ inviter: from.userId, invitee: inviteeId }).then((isAllowed) => {
    if (!isAllowed) throw new CallError(ErrorCode.ERR_NO_PERMISSION);
    // The room may have changed while the host decided.
    if (room.deletedAt !== null) throw new CallError(ErrorCode.ERR_ROOM_DELETED);
    refuseWhileDraining(core);
    requireInviter(room, from);
    return invite(core, room, from, inviteeId);
  });
}

/** @throws CallError `ERR_NO_PERMISSION` when the user is neither in the room nor its creator. */
export function requireInviter(room: Room, { userId }: DeviceId): void {
  if (room.createdBy === userId || membersOf(room, userId).length > 0) return;
  throw new CallError(ErrorCode.ERR_NO_PERMISSION);
}

/** @throws CallError as {@link sendInvitation}. */
function invite(core: InvitationNeeds, room: Room, from: DeviceId, inviteeId: string): Invitation {
  const [inviter, invitee] = [core.users.payload(from.userId), core.users.payload(inviteeId)];
  if (!inviter || !invitee) throw new CallError(ErrorCode.ERR_CALLEE_DOES_NOT_EXIST);
  const { people } = core.rooms;
  const isNew = !room.invitations.has(invitationKey(from.userId, inviteeId));
  const others = people.sentBy(from.userId).filter((one) => one.invitee.user_id === inviteeId && one.room !== room);
  const [oldest] = others;
  if (oldest && others.length >= core.settings.invitationsPerPair) withdraw(core, oldest);
  if (isNew && people.sentCount(from.userId) >= core.settings.invitationsPerUser) {
    throw new CallError(ErrorCode.ERR_SERVER_INTERNAL_ERROR, { message: 'Too many invitations. Cancel one first.' });
  }
  const invitation = addInvitation(core, room, {
    inviter: fittedUser(inviter),
    invitee: fittedUser(invitee),
    sentAt: core.clock.wallTime(),
  });
  // Another node of a cluster may have to continue it.
  if (core.cluster) core.rooms.changed(room);
  const devices = devicesOf(core, inviteeId);
  for (const device of devices) ring(core, invitation, device, 'websocket');
  if (devices.length === 0) {
    core.events.emit({ kind: 'invited', roomId: room.id, inviteeId, inviter, roomType: room.type });
  }
  return payloadOf(core, invitation);
}

/** Adds an invitation, and cancels it when the rest of its time is over. */
export function addInvitation(
  core: RoomNeeds,
  room: Room,
  { inviter, invitee, sentAt }: Pick<PendingInvitation, 'inviter' | 'invitee' | 'sentAt'>,
): PendingInvitation {
  const { clock, settings, rooms } = core;
  const left = settings.invitationMs - Math.max(0, clock.wallTime() - sentAt);
  const limit = clock.after(Math.max(0, left), () => withdraw(core, invitation));
  const invitation = { room, inviter, invitee, sentAt, limit };
  rooms.people.invite(invitation);
  return invitation;
}

function ring(
  core: InvitationNeeds,
  invitation: PendingInvitation,
  device: DeviceId,
  channel: DeliveryInfo['channel'],
): void {
  const payload: RoomEventPayload<'invitation_sent'> = {
    ...payloadOf(core, invitation),
    short_lived_token: core.shortLivedTokens.issue({ ...device, callId: invitation.room.id }),
  };
  notify(core, invitation.room, [device], { cmd: 'COMM', type: 'invitation_sent', payload }, channel);
}

/** Rings a device that connects for the newest pending invitations of its user, oldest first. */
export function ringPending(core: InvitationNeeds, device: DeviceId): void {
  const newest = core.rooms.people.receivedBy(device.userId).slice(-core.settings.invitationsRung);
  for (const invitation of newest) ring(core, invitation, device, 'missed_signal');
}

/** Returns a pending invitation. @throws CallError `ERR_NO_PERMISSION` when there is none. */
function requireInvitation(room: Room, inviterId: string, inviteeId: string): PendingInvitation {
  const invitation = room.invitations.get(invitationKey(inviterId, inviteeId));
  if (!invitation) throw new CallError(ErrorCode.ERR_NO_PERMISSION);
  return invitation;
}

/** Cancels an invitation. The devices of both users get an event, except `from`, whose command cancels it. */
function withdraw(core: RoomNeeds, invitation: PendingInvitation, from?: DeviceId): void {
  const { room, inviter, invitee } = invitation;
  core.rooms.people.uninvite(invitation);
  const inviters = from ? othersOf(core, from) : devicesOf(core, inviter.user_id);
  const devices = [...devicesOf(core, invitee.user_id), ...inviters];
  core.rooms.changed(room, from);
  notify(core, room, devices, { cmd: 'COMM', type: 'invitation_canceled', payload: payloadOf(core, invitation) });
}

/** Cancels an invitation of this user. @throws CallError `ERR_NO_PERMISSION` when there is no such invitation. */
export function cancelInvitation(core: RoomNeeds, room: Room, from: DeviceId, inviteeId: string): Invitation {
  const invitation = requireInvitation(room, from.userId, inviteeId);
  withdraw(core, invitation, from);
  return payloadOf(core, invitation);
}

/** Cancels these invitations for both users. */
export function cancelInvitations(core: RoomNeeds, invitations: Iterable<PendingInvitation>): void {
  for (const invitation of [...invitations]) withdraw(core, invitation);
}

/**
 * Accepts or declines an invitation. The inviter gets an event, and the other devices of the invitee.
 * @throws CallError `ERR_NO_PERMISSION` when there is no such invitation.
 */
export function answerInvitation(
  core: RoomNeeds,
  room: Room,
  from: DeviceId,
  inviterId: string,
  type: 'invitation_accepted' | 'invitation_declined',
): Invitation {
  const invitation = requireInvitation(room, inviterId, from.userId);
  core.rooms.people.uninvite(invitation);
  const payload = payloadOf(core, invitation);
  core.rooms.changed(room, from);
  notify(core, room, [...devicesOf(core, inviterId), ...othersOf(core, from)], { cmd: 'COMM', type, payload });
  return payload;
}

/**
 * Records that a device of the invitee got an invitation. The inviter gets an event.
 * @throws CallError `ERR_NO_PERMISSION` when there is no such invitation.
 */
export function invitationReceived(core: RoomNeeds, room: Room, from: DeviceId, inviterId: string): Invitation {
  const payload = payloadOf(core, requireInvitation(room, inviterId, from.userId));
  notify(core, room, devicesOf(core, inviterId), { cmd: 'COMM', type: 'invitation_received', payload });
  return payload;
}
