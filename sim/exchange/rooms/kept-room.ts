/** The participants and invitations of a room, as another exchange continues them. */
import * as v from 'valibot';
import type { Core } from '../core.ts';
import { findUsers } from '../directory/find-user.ts';
import { fittedUser } from './fit.ts';
import { addInvitation, type InvitationNeeds } from './invitations.ts';
import { heard } from './membership.ts';
import { instant } from './publish.ts';
import { memberOf, type Room } from './room.ts';

/** The former exchange may have sent events whose numbers it could not store. */
const NUMBERS_APART = 1_000;

/** Times are milliseconds since the epoch. */
const keptRoom = v.object({
  sequence: v.number(),
  participants: v.array(
    v.object({
      id: v.string(),
      userId: v.string(),
      clientId: v.string(),
      enteredAt: v.number(),
      updatedAt: v.number(),
      isAudioOn: v.boolean(),
      isVideoOn: v.boolean(),
    }),
  ),
  invitations: v.array(v.object({ inviter: v.string(), invitee: v.string(), sentAt: v.number() })),
});
export type KeptRoom = v.InferOutput<typeof keptRoom>;

/** Returns the participants and invitations of a room, in their order. Their endpoints end with the exchange. */
export function keepRoom({ sequence, members, invitations }: Room): KeptRoom {
  return {
    sequence,
    participants: [...members.values()].map(({ id, device, enteredAt, updatedAt, isAudioOn, isVideoOn }) => ({
      ...{ id, userId: device.userId, clientId: device.clientId },
      ...{ enteredAt, updatedAt, isAudioOn, isVideoOn },
    })),
    invitations: [...invitations.values()].map(({ inviter, invitee, sentAt }) => ({
      ...{ inviter: inviter.user_id, invitee: invitee.user_id, sentAt },
    })),
  };
}

/**
 * Continues a room of another exchange. Its participants have no media until they connect their endpoints here. They
 * learn this from the number of the room, which the reply to their next sign of life has.
 *
 * Rejects with CallError `ERR_ROOM_DELETED` for a room that is deleted, and with ValiError for another form.
 */
export async function continueRoom(
  core: InvitationNeeds & Pick<Core, 'policy'>,
  roomId: string,
  kept: unknown,
): Promise<void> {
  const { sequence, participants, invitations } = v.parse(keptRoom, kept);
  if (participants.length + invitations.length === 0) return;
  const userIds = [
    ...participants.map(({ userId }) => userId),
    ...invitations.flatMap(({ inviter, invitee }) => [inviter, invitee]),
  ];
  await findUsers(core, [...new Set(userIds)]);
  await core.rooms.with(roomId, (room) => {
    room.sequence = Math.max(room.sequence, sequence) + NUMBERS_APART;
    for (const participant of participants) addParticipant(core, room, participant);
    for (const invitation of invitations) continueInvitation(core, room, invitation);
    core.rooms.changed(room);
    core.log.info('a room was continued', { room: room.id, participants: room.members.size });
  });
  for (const { userId } of participants) core.events.emit({ kind: 'presence', userId });
}

function addParticipant(
  core: InvitationNeeds,
  room: Room,
  { id, userId, clientId, enteredAt, updatedAt, isAudioOn, isVideoOn }: KeptRoom['participants'][number],
): void {
  const user = core.users.payload(userId);
  const device = { userId, clientId };
  // The account may have been removed meanwhile. A client may have entered here before.
  if (!user || memberOf(room, device)) return;
  const now = instant(core);
  const member = {
    ...{ id, user: fittedUser(user), device, enteredAt, updatedAt, isAudioOn, isVideoOn },
    enteredClock: now.clock - Math.max(0, now.wall - enteredAt),
    state: 'entered' as const,
    silence: null,
    endpoints: new Map(),
  };
  core.rooms.people.enter(room, member);
  heard(core, room, member);
}

function continueInvitation(
  core: InvitationNeeds,
  room: Room,
  { inviter, invitee, sentAt }: KeptRoom['invitations'][number],
): void {
  const [from, to] = [core.users.payload(inviter), core.users.payload(invitee)];
  if (from && to) addInvitation(core, room, { inviter: fittedUser(from), invitee: fittedUser(to), sentAt });
}
