import { type ReadableStore, createStore } from '../../../common/store.ts';
import type { RoomType } from '../../../protocol/room-entities.ts';
import type { Logger } from '../../core/ports/ports.ts';
import { type ActiveCall, type CallParty, isLive } from '../../../react/index.ts';
import type { LibraryInvitation, LibraryRoom, RoomLibrary } from '../../../react/library/room-library.ts';
import { ROOM_NAME_CHARACTERS, ROOM_NAME_ITEM } from './room-name.ts';
import type { CallingService } from '../calling/calling-service.ts';

/**
 * The state of a call that becomes a room. `asking`: the other user is invited, and the call continues. `going`: the
 * other user has accepted, and this page enters the room. `declined` and `failed`: the call continues as before.
 */
export type MoveState =
  | { readonly name: 'asking' | 'declined' | 'failed'; readonly party: CallParty }
  | {
      readonly name: 'going';
      readonly party: CallParty;
      readonly roomId: string;
      readonly devices: { readonly microphone: boolean; readonly camera: boolean };
    };

/** The move of the call in front into a room. */
export interface CallMove {
  /** Null without a move. */
  readonly state: ReadableStore<MoveState | null>;
  /** Creates a room and invites the other user of the call in front. Has no effect without a connected call. */
  start(words: { name: string }): Promise<void>;
  /** Cancels the invitation, or removes the last result. The call continues. */
  cancel(): void;
  /** Reports that the page shows the room. */
  arrived(): void;
}

interface Dependencies {
  readonly calling: Pick<CallingService, 'state' | 'library'>;
  /** Returns the id of this user. */
  userId(): string;
  readonly logger: Logger;
}

/**
 * Creates the move of calls into rooms. The call lasts until both users are in the room. When one of them does not
 * arrive, they still have the call.
 */
export function createCallMove({ calling, userId, logger }: Dependencies): CallMove {
  const state = createStore<MoveState | null>(null);
  let invitation: LibraryInvitation | undefined;
  let unfollow = (): void => {};

  function finish(next: MoveState | null): void {
    unfollow();
    unfollow = () => {};
    invitation = undefined;
    state.set(next);
  }

  function withdraw(): void {
    const sent = invitation;
    finish(null);
    sent?.cancel().catch((error: unknown) => logger.warn('the invitation was not canceled', error));
  }

  /** Follows the answer to the invitation, and the end of the call before the answer. */
  function follow(room: LibraryRoom, call: ActiveCall): void {
    const isOurs = ({ invitee }: LibraryInvitation): boolean => invitee.userId === call.party.userId;
    const accepted = (answered: LibraryInvitation): void => {
      if (!isOurs(answered)) return;
      const { active } = calling.state.get();
      const { microphoneOn, cameraOn } = isLive(active) ? active : call;
      finish({
        name: 'going',
        party: call.party,
        roomId: room.roomId,
        devices: { microphone: microphoneOn, camera: cameraOn && call.kind === 'video' },
      });
    };
    const declined = (answered: LibraryInvitation): void => {
      if (isOurs(answered)) finish({ name: 'declined', party: call.party });
    };
    room.on('invitationAccepted', accepted);
    room.on('invitationDeclined', declined);
    const stopWatching = calling.state.subscribe(() => {
      if (liveCall(calling, call.party.userId) === null) withdraw();
    });
    unfollow = () => {
      room.off('invitationAccepted', accepted);
      room.off('invitationDeclined', declined);
      stopWatching();
    };
  }

  return {
    state,
    async start({ name }) {
      const { active } = calling.state.get();
      const library = calling.library();
      if (library === undefined || !isLive(active) || state.get()?.name === 'asking') return;
      const { party, kind } = active;
      state.set({ name: 'asking', party });
      try {
        const type = kind === 'video' ? 'small_room_for_video' : 'small_room_for_audio_only';
        const room = await roomFor(library, type, userId(), name.slice(0, ROOM_NAME_CHARACTERS));
        // The user may have canceled, and the call may have ended.
        if (state.get()?.name !== 'asking') return;
        if (liveCall(calling, party.userId) === null) return state.set(null);
        follow(room, active);
        const sent = await room.sendInvitation(party.userId);
        if (state.get()?.name === 'asking') invitation = sent;
        else if (state.get() === null) await sent.cancel();
      } catch (error) {
        logger.warn('the call was not moved into a room', error);
        if (state.get()?.name === 'asking') finish({ name: 'failed', party });
      }
    },
    cancel: () => (state.get()?.name === 'asking' ? withdraw() : finish(null)),
    arrived: () => {
      if (state.get()?.name === 'going') finish(null);
    },
  };
}

/** Returns the live call in front with a user. Null without one. */
function liveCall(calling: Dependencies['calling'], userId: string): ActiveCall | null {
  const { active } = calling.state.get();
  return isLive(active) && active.party.userId === userId ? active : null;
}

/** Returns an empty room of the user, or a new one. Rooms of declined moves are used again, so that they do not add up. */
async function roomFor(library: RoomLibrary, roomType: RoomType, userId: string, name: string): Promise<LibraryRoom> {
  const query = library.createRoomListQuery({
    type: roomType,
    state: 'open',
    limit: 10,
    createdByUserIds: [userId],
    currentParticipantCount: [0, 0],
  });
  const known = (await query.next()).find(({ customItems }) => customItems[MOVED_ITEM] !== undefined);
  const items = { [ROOM_NAME_ITEM]: name, [MOVED_ITEM]: '1' };
  if (known === undefined) return await library.createRoom({ roomType, customItems: items });
  await known.updateCustomItems(items);
  return known;
}

/** The custom item of rooms that were made for a call. */
const MOVED_ITEM = 'from_call';
