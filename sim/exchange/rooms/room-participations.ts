import type { DeviceId } from '../directory/sessions.ts';
import type { Participations } from '../participations.ts';
import { cancelInvitations, ringPending, type InvitationNeeds } from './invitations.ts';
import { leave, removeAll } from './membership.ts';
import { memberOf, membersOf, type Room } from './room.ts';

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
    return this.#open.some((room) => room.id === id);
  }

  isBusy(userId: string): boolean {
    return this.#open.some((room) => membersOf(room, userId).length > 0);
  }

  welcome(device: DeviceId): void {
    ringPending(this.#core, device);
  }

  /** Does nothing: an invitation names its room, and the device answers by it. */
  reach(): void {}

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
    for (const room of this.#open) {
      const member = memberOf(room, device);
      if (member) leave(this.#core, room, member, 'connection_lost');
    }
  }

  endFor(userId: string): void {
    for (const room of this.#open) {
      cancelInvitations(this.#core, room, ({ inviter, invitee }) =>
        [inviter.user_id, invitee.user_id].includes(userId),
      );
      for (const member of membersOf(room, userId)) leave(this.#core, room, member, 'connection_lost');
      // The store forgets the user after this write.
      if (room.createdBy === userId) room.createdBy = '';
    }
  }

  endBetween(userId: string, other: string): void {
    const both = new Set([userId, other]);
    for (const room of this.#open) {
      cancelInvitations(
        this.#core,
        room,
        ({ inviter, invitee }) => both.has(inviter.user_id) && both.has(invitee.user_id),
      );
    }
  }

  endAll(): void {
    for (const room of this.#open) {
      cancelInvitations(this.#core, room);
      for (const member of room.members.values()) leave(this.#core, room, member, 'connection_lost');
    }
  }

  letGo(): void {
    for (const room of this.#core.rooms.live) {
      for (const { limit } of room.invitations.values()) limit.cancel();
      room.invitations.clear();
      removeAll(this.#core, room, 'connection_lost');
    }
  }

  /** Does nothing: endpoints connect to the media server, which needs no relay credential of a call. */
  changeRelay(): void {}
}
