import type { Clock, Timer } from '../../../../common/clock.ts';
import { type ReadableStore, createStore } from '../../../../common/store.ts';
import type { RoomType } from '../../../../protocol/room-entities.ts';
import type { Logger } from '../../../core/ports/ports.ts';
import type { CallingService } from '../../calling/calling-service.ts';
import type { LibraryRoom } from '../../../../react/library/room-library.ts';
import { type RoomFacts, factsOf } from '../../../../react/index.ts';

/** The rooms of a page of the list. */
export const ROOMS_PER_PAGE = 12;
/** The interval at which the counts are read again. Milliseconds. */
export const REFRESH_MS = 5_000;

export interface RoomListState {
  /** Null until the first page is read. */
  readonly rooms: readonly RoomFacts[] | null;
  readonly hasMore: boolean;
  /** Whether the user waits for a page. */
  readonly isLoading: boolean;
  /** Whether the last read failed. The rooms of an earlier read stay. */
  readonly hasFailed: boolean;
}

/** The list of the open rooms of one type, with the number of users in each. */
export interface RoomList {
  readonly state: ReadableStore<RoomListState>;
  /** Reads the first page as soon as the calling service is connected, and the counts again until the returned call. */
  watch(): () => void;
  more(): void;
  /** Reads the list again. Starts the calling service after a failure. */
  again(): void;
}

interface Dependencies {
  readonly calling: Pick<CallingService, 'connection' | 'library' | 'start'>;
  readonly clock: Pick<Clock, 'after'>;
  readonly logger: Logger;
}

/** Creates the list of the rooms of a type. */
export function createRoomList(type: RoomType | 'all', { calling, clock, logger }: Dependencies): RoomList {
  const state = createStore<RoomListState>({ rooms: null, hasMore: false, isLoading: true, hasFailed: false });
  let pages = 1;
  let refresh: Timer | undefined;
  let isWatched = false;
  /** Increases with each read, so that a late answer to an earlier one is dropped. */
  let reads = 0;

  async function read(): Promise<void> {
    const mine = ++reads;
    refresh?.cancel();
    try {
      const found = await pagesOf(calling, type, pages);
      if (mine !== reads || found === null) return;
      state.set({ rooms: found.rooms.map(factsOf), hasMore: found.hasMore, isLoading: false, hasFailed: false });
    } catch (error) {
      if (mine !== reads) return;
      logger.warn('the rooms were not read', error);
      state.update((now) => ({ ...now, isLoading: false, hasFailed: true }));
    }
    if (isWatched) refresh = clock.after(REFRESH_MS, () => void read());
  }

  function look(): void {
    const connection = calling.connection.get();
    if (connection === 'on') void read();
    else if (connection === 'failed') {
      refresh?.cancel();
      state.update((now) => ({ ...now, isLoading: false, hasFailed: true }));
    }
  }

  return {
    state,
    watch() {
      isWatched = true;
      const unfollow = calling.connection.subscribe(look);
      look();
      return () => {
        isWatched = false;
        reads += 1;
        refresh?.cancel();
        unfollow();
      };
    },
    more() {
      pages += 1;
      state.update((now) => ({ ...now, isLoading: true }));
      void read();
    },
    again() {
      state.update((now) => ({ ...now, isLoading: true, hasFailed: false }));
      if (calling.connection.get() === 'on') void read();
      else void calling.start();
    },
  };
}

/** Reads the first pages. Null without the library. */
async function pagesOf(
  calling: Pick<CallingService, 'library'>,
  type: RoomType | 'all',
  pages: number,
): Promise<{ readonly rooms: readonly LibraryRoom[]; readonly hasMore: boolean } | null> {
  const query = calling.library()?.createRoomListQuery({ type, state: 'open', limit: ROOMS_PER_PAGE });
  if (query === undefined) return null;
  const rooms: LibraryRoom[] = [];
  // The cursor of a page is known only with the page before it.
  for (let page = 0; page < pages && query.hasNext; page += 1) rooms.push(...(await query.next()));
  return { rooms, hasMore: query.hasNext };
}
