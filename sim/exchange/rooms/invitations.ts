/** Invitations into rooms (§3, §6). */
import { CallError, ErrorCode } from '../../../src/protocol/errors.ts';
import type { RoomEventPayload, RoomReply } from '../../../src/protocol/messages/rooms.ts';
import type { Core } from '../core.ts';
import type { DeviceId } from '../directory/sessions.ts';
import { fittedUser } from './fit.ts';
import { refuseWhileDraining, type RoomNeeds } from './membership.ts';
import { instant, notify } from './publish.ts';
import { invitationKey, membersOf, roomPayload, type PendingInvitation, type Room } from './room.ts';

export type InvitationNeeds = RoomNeeds & Pick<Core, 'dials' | 'policy' | 'shortLivedTokens'>;

const devicesOf = ({ devices }: Pick<Core, 'devices'>, userId: string): DeviceId[] =>
  devices.clientsOf(userId).map((clientId) => ({ userId, clientId }));

const othersOf = (core: Pick<Core, 'devices'>, { userId, clientId }: DeviceId): DeviceId[] =>
  devicesOf(core, userId).filter((device) => device.clientId !== clientId);

type Invitation = RoomReply<'invitation_send'>;

const payloadOf = (core: RoomNeeds, room: Room, { inviter, invitee }: PendingInvitation): Invitation => ({
  room: roomPayload(room, null, instant(core)),
  inviter,
  invitee,
});

/**
 * Invites a user, whose devices get an event. A second invitation of the same user replaces the first.
 *
 * @throws CallError, or rejects with it: `ERR_NO_PERMISSION` when the inviter is neither in the room nor its creator, and
 *   when the host does not allow it. `ERR_DIAL_MYSELF` for the inviter itself. `ERR_CALLEE_DOES_NOT_EXIST` for an unknown
 *   user. `ERR_SERVER_INTERNAL_ERROR` above the rate limit of dials, with too many pending invitations, and while the
 *   exchange drains. `ERR_ROOM_DELETED` when the room was deleted while the host decided.
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
  if (!core.dials.take(from.userId)) {
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
  const key = invitationKey(from.userId, inviteeId);
  const former = room.invitations.get(key);
  if (!former && pendingOf(core, from.userId) >= core.settings.invitationsPerUser) {
    throw new CallError(ErrorCode.ERR_SERVER_INTERNAL_ERROR, { message: 'Too many invitations. Cancel one first.' });
  }
  former?.limit.cancel();
  const limit = core.clock.after(core.settings.invitationMs, () => withdraw(core, room, key, null));
  const invitation = { inviter: fittedUser(inviter), invitee: fittedUser(invitee), limit };
  room.invitations.set(key, invitation);
  const devices = devicesOf(core, inviteeId);
  for (const device of devices) ring(core, room, invitation, device);
  if (devices.length === 0) {
    core.events.emit({ kind: 'invited', roomId: room.id, inviteeId, inviter, roomType: room.type });
  }
  return payloadOf(core, room, invitation);
}

const pendingOf = ({ rooms }: Pick<Core, 'rooms'>, userId: string): number =>
  rooms.live.flatMap(({ invitations }) => [...invitations.values()]).filter(({ inviter }) => inviter.user_id === userId)
    .length;

function ring(core: InvitationNeeds, room: Room, invitation: PendingInvitation, device: DeviceId): void {
  const payload: RoomEventPayload<'invitation_sent'> = {
    ...payloadOf(core, room, invitation),
    short_lived_token: core.shortLivedTokens.issue({ ...device, callId: room.id }),
  };
  notify(core, [device], { cmd: 'COMM', type: 'invitation_sent', payload });
}

/** Rings a device that connects for the pending invitations of its user. */
export function ringPending(core: InvitationNeeds, device: DeviceId): void {
  for (const room of core.rooms.live) {
    for (const invitation of room.invitations.values()) {
      if (invitation.invitee.user_id === device.userId) ring(core, room, invitation, device);
    }
  }
}

/** Ends an invitation, and returns it. @throws CallError `ERR_NO_PERMISSION` when there is no such invitation. */
function take(room: Room, inviterId: string, inviteeId: string): PendingInvitation {
  const key = invitationKey(inviterId, inviteeId);
  const invitation = room.invitations.get(key);
  if (!invitation) throw new CallError(ErrorCode.ERR_NO_PERMISSION);
  invitation.limit.cancel();
  room.invitations.delete(key);
  return invitation;
}

/** Cancels an invitation by its key. The devices of the invitee get an event, and those of `inviters`. */
function withdraw(core: RoomNeeds, room: Room, key: string, inviters: readonly DeviceId[] | null): void {
  const invitation = room.invitations.get(key);
  if (!invitation) return;
  invitation.limit.cancel();
  room.invitations.delete(key);
  const { inviter, invitee } = invitation;
  const devices = [...devicesOf(core, invitee.user_id), ...(inviters ?? devicesOf(core, inviter.user_id))];
  notify(core, devices, { cmd: 'COMM', type: 'invitation_canceled', payload: payloadOf(core, room, invitation) });
  core.rooms.changed(room);
}

/** Cancels an invitation of this user. @throws CallError `ERR_NO_PERMISSION` when there is no such invitation. */
export function cancelInvitation(core: RoomNeeds, room: Room, from: DeviceId, inviteeId: string): Invitation {
  const invitation = room.invitations.get(invitationKey(from.userId, inviteeId));
  if (!invitation) throw new CallError(ErrorCode.ERR_NO_PERMISSION);
  const answer = payloadOf(core, room, invitation);
  withdraw(core, room, invitationKey(from.userId, inviteeId), othersOf(core, from));
  return answer;
}

/** Cancels every invitation into a room that is deleted, or of users who may not meet. */
export function cancelInvitations(
  core: RoomNeeds,
  room: Room,
  isOver: (invitation: PendingInvitation) => boolean = () => true,
): void {
  for (const [key, invitation] of room.invitations) if (isOver(invitation)) withdraw(core, room, key, null);
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
  const invitation = take(room, inviterId, from.userId);
  const payload = payloadOf(core, room, invitation);
  notify(core, [...devicesOf(core, inviterId), ...othersOf(core, from)], { cmd: 'COMM', type, payload });
  core.rooms.changed(room);
  return payload;
}

/**
 * Records that a device of the invitee got an invitation. The inviter gets an event.
 * @throws CallError `ERR_NO_PERMISSION` when there is no such invitation.
 */
export function invitationReceived(core: RoomNeeds, room: Room, from: DeviceId, inviterId: string): Invitation {
  const invitation = room.invitations.get(invitationKey(inviterId, from.userId));
  if (!invitation) throw new CallError(ErrorCode.ERR_NO_PERMISSION);
  const payload = payloadOf(core, room, invitation);
  notify(core, devicesOf(core, inviterId), { cmd: 'COMM', type: 'invitation_received', payload });
  return payload;
}
