/** The participants and the invitations of rooms by user, so that a search for a user reads no other room. */
import { invitationKey, membersOf, type Member, type PendingInvitation, type Room } from './room.ts';

/** Values by key, each once, in the order in which they were added. */
export class Groups<Value> {
  readonly #byKey = new Map<string, Set<Value>>();

  add(key: string, value: Value): void {
    const group = this.#byKey.get(key);
    if (group) group.add(value);
    else this.#byKey.set(key, new Set([value]));
  }

  delete(key: string, value: Value): void {
    const group = this.#byKey.get(key);
    group?.delete(value);
    if (group?.size === 0) this.#byKey.delete(key);
  }

  /** Returns the values of a key, the first added first. */
  of(key: string): Value[] {
    return [...(this.#byKey.get(key) ?? [])];
  }

  /** Returns the number of values of a key. */
  count(key: string): number {
    return this.#byKey.get(key)?.size ?? 0;
  }
}

/** The participants and the pending invitations of all rooms in memory. Only it adds and removes them. */
export class RoomPeople {
  readonly #rooms = new Groups<Room>();
  readonly #sent = new Groups<PendingInvitation>();
  readonly #received = new Groups<PendingInvitation>();

  /** Adds a participant to a room. */
  enter(room: Room, member: Member): void {
    room.members.set(member.id, member);
    this.#rooms.add(member.device.userId, room);
  }

  /** Removes a participant from a room. */
  leave(room: Room, member: Member): void {
    const { userId } = member.device;
    room.members.delete(member.id);
    if (membersOf(room, userId).length === 0) this.#rooms.delete(userId, room);
  }

  /** Adds an invitation, in place of the former one of the same users into the same room. */
  invite(invitation: PendingInvitation): void {
    const { room, inviter, invitee } = invitation;
    const key = invitationKey(inviter.user_id, invitee.user_id);
    const former = room.invitations.get(key);
    if (former) this.uninvite(former);
    room.invitations.set(key, invitation);
    this.#sent.add(inviter.user_id, invitation);
    this.#received.add(invitee.user_id, invitation);
  }

  /** Ends an invitation and its time limit. */
  uninvite(invitation: PendingInvitation): void {
    const { room, inviter, invitee, limit } = invitation;
    limit.cancel();
    room.invitations.delete(invitationKey(inviter.user_id, invitee.user_id));
    this.#sent.delete(inviter.user_id, invitation);
    this.#received.delete(invitee.user_id, invitation);
  }

  /** Returns whether a user is in a room. */
  isInRoom(userId: string): boolean {
    return this.#rooms.count(userId) > 0;
  }

  /** Returns the rooms that a user is in. */
  roomsOf(userId: string): Room[] {
    return this.#rooms.of(userId);
  }

  /** Returns the number of pending invitations of an inviter. */
  sentCount(inviterId: string): number {
    return this.#sent.count(inviterId);
  }

  /** Returns the pending invitations of an inviter, oldest first. */
  sentBy(inviterId: string): PendingInvitation[] {
    return this.#sent.of(inviterId);
  }

  /** Returns the pending invitations of an invitee, oldest first. */
  receivedBy(inviteeId: string): PendingInvitation[] {
    return this.#received.of(inviteeId);
  }
}
