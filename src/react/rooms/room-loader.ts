import type { Clock, Timer } from '../../common/clock.ts';
import type { Store } from '../../common/store.ts';
import type { Logger } from '../session/session-ports.ts';
import type { LibraryRoom } from '../library/room-library.ts';
import type { VisitState } from './room-state.ts';
import type { RoomAccess } from './room-access.ts';

interface LoaderPorts {
  readonly access: RoomAccess;
  readonly clock: Pick<Clock, 'after'>;
  readonly logger: Logger;
}

/** The interval at which the lobby reads who is inside. Milliseconds. */
export const LOBBY_REFRESH_MS = 5_000;

/** The code of the exchange for a room that it does not know, or that was deleted. */
export const ROOM_DELETED = 1_400_126;

/** Creates the reader of the room, which waits for the calling service. */
export function createRoomLoader(
  roomId: string,
  { access, clock, logger }: LoaderPorts,
  state: Store<VisitState>,
  found: (room: LibraryRoom) => void,
  readAgain: (room: LibraryRoom) => void,
) {
  let stopWaiting = (): void => {};
  /** Increases with each read, so that a late answer to an earlier one is dropped. */
  let reads = 0;
  let refreshing: Timer | undefined;

  const show = (name: 'loading' | 'failed' | 'missing'): void => state.update((now) => ({ ...now, stage: { name } }));

  /** Reads the room again later: outside of it there are no events about its users. */
  function schedule(): void {
    refreshing?.cancel();
    refreshing = clock.after(LOBBY_REFRESH_MS, () => void read());
  }

  const isInLobby = (): boolean => state.get().stage.name === 'lobby';
  /** Returns whether the visit needs the room: neither during the stay nor after the end of the visit. */
  const isNeeded = (): boolean => isInLobby() || ['loading', 'failed'].includes(state.get().stage.name);

  async function read(): Promise<void> {
    if (!isNeeded()) return;
    const mine = ++reads;
    refreshing?.cancel();
    try {
      const room = await access.library()?.fetchRoomById(roomId);
      if (mine !== reads || room === undefined || !isNeeded()) return;
      if (isInLobby()) readAgain(room);
      else found(room);
      // The room may be deleted.
      if (isInLobby()) schedule();
    } catch (error) {
      if (mine !== reads || !isNeeded()) return;
      logger.warn('the room was not read', error);
      const isMissing = codeOf(error) === ROOM_DELETED;
      // A lobby that cannot be read now is read again.
      if (isInLobby() && !isMissing) schedule();
      else show(isMissing ? 'missing' : 'failed');
    }
  }

  function look(): void {
    const connection = access.connection.get();
    if (connection === 'failed' && state.get().stage.name === 'loading') show('failed');
    if (connection !== 'on') return;
    stopWaiting();
    void read();
  }

  return {
    load(): void {
      stopWaiting();
      show('loading');
      stopWaiting = access.connection.subscribe(look);
      if (access.connection.get() === 'failed') void access.start();
      else look();
    },
    /** Reads the room no more: the user enters it. */
    pause: (): void => refreshing?.cancel(),
    /** Reads the room again later, after an entry that was refused. */
    resume: schedule,
    stop(): void {
      reads += 1;
      refreshing?.cancel();
      stopWaiting();
    },
  };
}

export const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined);
