import type { DeviceId } from '../directory/sessions.ts';
import type { Participations } from '../participations.ts';
import { cancelInvitations, ringPending, type InvitationNeeds } from './invitations.ts';
import { leave, removeAll, stopTimers } from './membership.ts';
import { memberOf, membersOf, type Room } from './room.ts';

/** Removes the participants and invitations of a room without a message. */
function forgetRoom(core: InvitationNeeds, room: Room): void {
  for (const invitation of [...room.invitations.values()]) core.rooms.people.uninvite(invitation);
  removeAll(core, room, 'connection_lost');
}

/** The rooms, as a kind of session in which devices take part. */
export class RoomParticipations implements Participations {
  readonly #core: InvitationNeeds;

  constructor(core: InvitationNeeds) {
    this.#core = core;
  }

  get #open(): Room[] {
    return this.#core.rooms.live.filter(({ deletedAt }) => deletedAt === null);
  }

  isLive(id: string): boolean {
    return this.#core.rooms.get(id)?.deletedAt === null;
  }

  isBusy(userId: string): boolean {
    return this.#core.rooms.people.isInRoom(userId);
  }

  welcome(device: DeviceId): void {
    ringPending(this.#core, device);
  }

  /** Does nothing: an invitation names its room, and the device answers by it. */
  reach(): void {}

  /** Does nothing. A participant learns from the reply to its next sign of life that it is not in the room any more. */
  repeatEnds(): void {}

  /** Returns none: a client restores its rooms by their snapshots. */
  unended(): readonly [] {
    return [];
  }

  signalsOf(): undefined {
    return undefined;
  }

  /** Does nothing: the participants of a room end with their exchange. */
  loggedIn(): void {}

  /** Does nothing, as {@link loggedIn}. */
  revokeFormerLogins(): void {}

  dropDevice(device: DeviceId): void {
    for (const room of this.#core.rooms.people.roomsOf(device.userId)) {
      const member = memberOf(room, device);
      if (member) leave(this.#core, room, member, 'connection_lost');
    }
  }

  endFor(userId: string): void {
    const { clock, rooms } = this.#core;
    const { people } = rooms;
    cancelInvitations(this.#core, [...people.sentBy(userId), ...people.receivedBy(userId)]);
    for (const room of people.roomsOf(userId)) {
      for (const member of membersOf(room, userId)) leave(this.#core, room, member, 'connection_lost');
    }
    for (const { invitations } of rooms.forgetCreator(userId, clock.wallTime())) {
      cancelInvitations(this.#core, invitations.values());
    }
  }

  endBetween(userId: string, other: string): void {
    const { people } = this.#core.rooms;
    for (const [inviter, invitee] of [
      [userId, other],
      [other, userId],
    ]) {
      if (inviter === undefined) continue;
      cancelInvitations(
        this.#core,
        people.sentBy(inviter).filter((one) => one.invitee.user_id === invitee),
      );
    }
  }

  endAll(): void {
    for (const room of this.#open) {
      cancelInvitations(this.#core, room.invitations.values());
      for (const member of [...room.members.values()]) leave(this.#core, room, member, 'connection_lost');
    }
  }

  letGo(): void {
    for (const room of this.#core.rooms.live) {
      // Another node of a cluster continues the room as it is.
      if (this.#core.cluster) stopTimers(room);
      else forgetRoom(this.#core, room);
    }
  }

  /** Does nothing: endpoints connect to the media server, which needs no relay credential of a call. */
  changeRelay(): void {}
}
