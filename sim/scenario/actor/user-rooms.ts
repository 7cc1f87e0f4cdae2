/** The rooms, the invitations and the list of rooms of a user at one device. */
import type { Room, RoomInvitation } from '../../../src/calls/room/room.ts';
import type { RoomListQuery } from '../../../src/calls/room/room-list-query.ts';
import { ActionImpossible } from '../run/world.ts';
import type { Participations } from './participations.ts';
import type { MediaMeter } from './received-media.ts';
import { RoomParticipation, type RoomScreen } from './room-participation.ts';

export interface UserRoomsOptions {
  readonly participations: Participations;
  readonly screen: RoomScreen;
  /** Measures the received media of each connection, if the world supports it. */
  readonly media: MediaMeter | undefined;
}

export class UserRooms {
  /** The query of the last list. Undefined before it. */
  query: RoomListQuery | undefined;
  /** The ids of the rooms on the last page. */
  page: readonly string[] = [];
  readonly #options: UserRoomsOptions;
  readonly #known = new Map<Room, RoomParticipation>();
  #received: readonly RoomInvitation[] = [];
  #sent: readonly RoomInvitation[] = [];

  constructor(options: UserRoomsOptions) {
    this.#options = options;
  }

  /** The current room. @throws ActionImpossible without one. */
  get current(): RoomParticipation {
    const current = this.#options.participations.currentIn('room');
    if (!(current instanceof RoomParticipation)) throw new ActionImpossible('this user has no room');
    return current;
  }

  /** The user ids of the inviters without an answer, the oldest first. */
  get inviters(): string[] {
    return this.#received.map(({ inviter }) => inviter.userId);
  }

  /** The newest invitation without an answer. @throws ActionImpossible without one. */
  get received(): RoomInvitation {
    return this.#lastOf(this.#received, 'this user has no invitation');
  }

  /** The last invitation of this user without an answer. @throws ActionImpossible without one. */
  get sent(): RoomInvitation {
    return this.#lastOf(this.#sent, 'this user has sent no invitation');
  }

  /** Makes a room the current one. */
  use(room: Room): RoomParticipation {
    const participation = this.#listenTo(room);
    this.#options.participations.add(participation);
    return participation;
  }

  /** Adds an invitation that this user got. */
  addReceived(invitation: RoomInvitation): void {
    this.#listenTo(invitation.room);
    this.#received = [...this.#received.filter((one) => !isSame(one, invitation)), invitation];
    this.#options.participations.noteListener('onInvitationReceived');
  }

  /** Adds an invitation that this user sent. */
  addSent(invitation: RoomInvitation): void {
    this.#sent = [...this.#sent.filter((one) => !isSame(one, invitation)), invitation];
  }

  /** Removes an invitation that was answered or canceled. */
  settle(invitation: RoomInvitation): void {
    this.#received = this.#received.filter((one) => !isSame(one, invitation));
    this.#sent = this.#sent.filter((one) => !isSame(one, invitation));
  }

  #listenTo(room: Room): RoomParticipation {
    const known = this.#known.get(room);
    if (known) return known;
    const { screen, media, participations } = this.#options;
    const made = new RoomParticipation({
      room,
      screen,
      media,
      noticed: (name, about) => participations.noteListener(name, about),
      failed: (error) => participations.addRefusal(error),
      settled: (invitation) => this.settle(invitation),
    });
    this.#known.set(room, made);
    return made;
  }

  #lastOf(list: readonly RoomInvitation[], missing: string): RoomInvitation {
    const last = list.at(-1);
    if (!last) throw new ActionImpossible(missing);
    return last;
  }
}

const isSame = (one: RoomInvitation, other: RoomInvitation): boolean =>
  one.room === other.room && one.inviter.userId === other.inviter.userId && one.invitee.userId === other.invitee.userId;
