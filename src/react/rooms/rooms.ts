import { type ReadableStore, type Store, createStore } from '../../common/store.ts';
import type { CallParty } from '../calls/call-state.ts';
import type { LibraryInvitation } from '../library/room-library.ts';
import type { LibrarySession } from '../session/library-session.ts';
import type { Logger } from '../session/session-ports.ts';
import { type RoomFacts, factsOf, isStay, partyOf } from './room-state.ts';
import type { RoomVisit } from './room-visit.ts';

/** An invitation of the user into a room. */
export interface ReceivedInvitation {
  /** The key of the invitation on this page. */
  readonly key: string;
  /** The facts of the room. */
  readonly room: RoomFacts;
  /** The user who sent the invitation. */
  readonly inviter: CallParty;
}

/** The rooms of the page: the visit that outlives its screen, and the received invitations. */
export interface Rooms {
  /** The visit whose room the user is in or is entering. Null outside of rooms. */
  readonly present: ReadableStore<RoomVisit | null>;
  /** The invitations without an answer, oldest first. */
  readonly invitations: ReadableStore<readonly ReceivedInvitation[]>;
  /** Makes a visit the present one. Leaves the room of the former. */
  keep(visit: RoomVisit): void;
  /** Accepts an invitation. Resolves to whether it was still valid. */
  accept(key: string): Promise<boolean>;
  /** Declines an invitation. It leaves the list at once. */
  decline(key: string): void;
}

interface Dependencies {
  readonly connection: LibrarySession['connection'];
  /** The received invitations in the order of their arrival. The rooms remove those that are answered. */
  readonly received: Store<readonly LibraryInvitation[]>;
  readonly logger: Logger;
}

/** Creates the rooms of the page. They end with the session. */
export function createRooms({ connection, received: raw, logger }: Dependencies): Rooms {
  const present = createStore<RoomVisit | null>(null);
  const invitations = createStore<readonly ReceivedInvitation[]>([]);
  const received = createReceived(raw, invitations);
  let unfollow = (): void => {};

  function drop(): void {
    unfollow();
    present.get()?.dispose();
    present.set(null);
  }

  connection.subscribe(() => {
    if (connection.get() === 'off') drop();
  });

  return {
    present,
    invitations,
    keep(visit) {
      if (present.get() === visit) return;
      drop();
      present.set(visit);
      unfollow = visit.state.subscribe(() => {
        if (present.get() !== visit) return;
        if (isStay(visit.state.get().stage)) return;
        unfollow();
        present.set(null);
      });
    },
    async accept(key) {
      const invitation = received.take(key);
      if (invitation === undefined) return false;
      try {
        await invitation.accept();
        return true;
      } catch (error) {
        logger.warn('the invitation was not accepted', error);
        return false;
      }
    },
    decline(key) {
      received
        .take(key)
        ?.decline()
        .catch((error: unknown) => logger.warn('the invitation was not declined', error));
    },
  };
}

/** Creates the list of the received invitations without repetitions. */
function createReceived(raw: Dependencies['received'], shown: { set(next: readonly ReceivedInvitation[]): void }) {
  const followed = new Map<LibraryInvitation, () => void>();

  /** Removes an invitation when its inviter cancels it, or when its room is deleted. */
  function follow(invitation: LibraryInvitation): () => void {
    const { room } = invitation;
    const canceled = (other: LibraryInvitation): void => {
      if (keyOf(other) === keyOf(invitation)) remove(invitation);
    };
    const deleted = (): void => remove(invitation);
    room.on('invitationCanceled', canceled);
    room.on('deleted', deleted);
    return () => {
      room.off('invitationCanceled', canceled);
      room.off('deleted', deleted);
    };
  }

  const remove = (invitation: LibraryInvitation): void =>
    raw.update((all) => all.filter((other) => other !== invitation));

  function update(): void {
    // A second invitation of the same inviter into the same room replaces the first.
    const newest = new Map(raw.get().map((invitation) => [keyOf(invitation), invitation]));
    for (const invitation of newest.values()) {
      if (!followed.has(invitation)) followed.set(invitation, follow(invitation));
    }
    const present = new Set(newest.values());
    for (const [invitation, unfollow] of followed) {
      if (present.has(invitation)) continue;
      unfollow();
      followed.delete(invitation);
    }
    shown.set(
      Array.from(newest, ([key, { room, inviter }]) => ({ key, room: factsOf(room), inviter: partyOf(inviter) })),
    );
  }

  raw.subscribe(update);
  update();
  return {
    /** Removes an invitation, and returns it. Undefined when it is gone. */
    take(key: string): LibraryInvitation | undefined {
      const found = raw.get().findLast((invitation) => keyOf(invitation) === key);
      raw.update((all) => all.filter((invitation) => keyOf(invitation) !== key));
      return found;
    },
  };
}

const keyOf = ({ room, inviter }: Pick<LibraryInvitation, 'room' | 'inviter'>): string =>
  `${room.roomId} ${inviter.userId}`;
