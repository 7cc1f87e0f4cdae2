import type { Clock } from '../../common/clock.ts';
import type { Store } from '../../common/store.ts';
import type { LibraryUser } from '../library/library-values.ts';
import type {
  LibraryInvitation,
  LibraryParticipant,
  LibraryRoom,
  LibraryRoomEvent,
  LibraryRoomListener,
} from '../library/room-library.ts';
import { type EndOfStay, type RoomNews, type VisitState, withNews } from './room-state.ts';

interface Surroundings {
  readonly state: Store<VisitState>;
  readonly clock: Pick<Clock, 'wallTime'>;
  /** Copies the room into the state. */
  refresh(): void;
}

/** The errors that end a stay. The others concern one participant, and the room tries again. */
const ENDS: Readonly<Record<number, EndOfStay>> = {
  // ERR_LOCAL_PARTICIPANT_LOST_CONNECTION
  1_800_706: 'lost',
  // ERR_LOCAL_PARTICIPANT_KICKED_OUT
  1_800_707: 'kicked',
};

/** Follows the events of a room, and keeps the state of its visit up to date. Returns the function that stops this. */
export function followRoom(room: LibraryRoom, { state, clock, refresh }: Surroundings): () => void {
  const say = (what: RoomNews['what'], party: LibraryUser | null = null): void =>
    state.update((now) => withNews(now, what, party));

  function end(reason: EndOfStay): void {
    const { stage } = state.get();
    if (stage.name !== 'inside') return;
    const durationMs = clock.wallTime() - stage.since;
    state.update((now) => ({ ...now, stage: { name: 'over', reason, durationMs }, people: [] }));
  }

  function reconnecting(isReconnecting: boolean): void {
    state.update((now) => (now.stage.name === 'inside' ? { ...now, stage: { ...now.stage, isReconnecting } } : now));
  }

  function deleted(): void {
    const { name } = state.get().stage;
    if (name === 'inside') end('deleted');
    else if (name !== 'over') state.update((now) => ({ ...now, stage: { name: 'missing' } }));
  }

  const listeners: Readonly<Record<LibraryRoomEvent, LibraryRoomListener>> = {
    remoteParticipantEntered: (one: LibraryParticipant) => (refresh(), say('entered', one.user)),
    remoteParticipantExited: (one: LibraryParticipant) => (refresh(), say('exited', one.user)),
    remoteParticipantStreamStarted: refresh,
    remoteAudioSettingsChanged: refresh,
    remoteVideoSettingsChanged: refresh,
    localParticipantDisconnected: () => reconnecting(true),
    localParticipantReconnected: () => (reconnecting(false), refresh(), say('reconnected')),
    localScreenShareStopped: refresh,
    localMissingDevicesChanged: refresh,
    customItemsUpdated: refresh,
    customItemsDeleted: refresh,
    deleted,
    invitationAccepted: ({ invitee }: LibraryInvitation) => say('accepted', invitee),
    invitationDeclined: ({ invitee }: LibraryInvitation) => say('declined', invitee),
    // The list of invitations follows this event itself.
    invitationCanceled: () => {},
    error(error: { readonly code?: number }) {
      const reason = ENDS[error.code ?? 0];
      if (reason === undefined) refresh();
      else end(reason);
    },
  };
  const all = Object.entries(listeners) as [LibraryRoomEvent, LibraryRoomListener][];
  for (const [event, listener] of all) room.on(event, listener);
  return () => {
    for (const [event, listener] of all) room.off(event, listener);
  };
}
