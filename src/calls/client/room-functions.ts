import type { UnreadEvent } from '../../protocol/envelope.ts';
import { CallError, ErrorCode } from '../../protocol/errors.ts';
import { TIMES } from '../../protocol/limits.ts';
import { asCallError } from '../host/call-host.ts';
import type { Logger } from '../logging/log.ts';
import type { RoomSignals } from '../realtime/dispatcher.ts';
import { wait } from '../realtime/wait.ts';
import type { RoomListQuery, RoomListQueryParams } from '../room/room-list-query.ts';
import type { Room, RoomParams } from '../room/room.ts';
import type { Rooms } from '../room/rooms.ts';
import type { RoomsPartDeps } from '../room/rooms-part.ts';
import type { LazyParts } from './lazy-parts.ts';
import type { Session } from './session.ts';

/** The functions of a host about rooms. The first one loads the code of rooms. */
export interface RoomFunctions {
  /**
   * Creates a room.
   *
   * @throws CallError INSTANCE_NOT_INITIALIZED (1800302) before `init`; USER_NOT_AUTHENTICATED (1800303) before
   *   `authenticate` resolves; INVALID_PARAMETER_VALUE (1800300) or INVALID_PARAMETER_TYPE (1800301) for the parameter
   *   that it names; ERR_REQUEST_FAILED (1800200) when the request fails; ERR_NO_RESPONSE_DUE_TO_TIMEOUT (1800203)
   *   without a reply, or without the code of rooms, within a minute; the code of the exchange when it refuses.
   */
  createRoom(params: RoomParams): Promise<Room>;
  /**
   * Reads a room from the exchange. Returns the object of an earlier read, with the new values.
   *
   * @throws CallError ERR_ROOM_DELETED (1400126) for an unknown room, and as {@link createRoom}.
   */
  fetchRoomById(roomId: string): Promise<Room>;
  /** Returns the room of an earlier read. Undefined for a room that was not read. */
  getCachedRoomById(roomId: string): Room | undefined;
  /** Creates a query of rooms. Its first page reports a wrong parameter. */
  createRoomListQuery(params?: RoomListQueryParams | null): RoomListQuery;
}

export interface ClientRoomsOptions extends Omit<RoomsPartDeps, 'connection'> {
  readonly part: LazyParts['rooms'];
  readonly log: Logger;
  readonly authenticated: () => Pick<ReturnType<Session['authenticated']>, 'connection'>;
}

/** The rooms of a client: the functions of a host, and the events of the exchange. */
export interface ClientRooms {
  readonly functions: RoomFunctions;
  readonly signals: RoomSignals;
  /** Leaves every room when the user signs out. Returns whether a room is still left, which happens in its listener. */
  signOut(): boolean;
}

/** Returns the rooms of a client, whose code is loaded on first use. Each signed-in user has rooms of its own. */
export function clientRooms(options: ClientRoomsOptions): ClientRooms {
  const { part, log, authenticated } = options;
  let rooms: Rooms | undefined;
  /** The uses that wait for the code of rooms. Each ends with its limit, and at the sign-out. */
  const loads = new Set<AbortController>();

  const opened = async (): Promise<Rooms> => {
    const { connection } = authenticated();
    const load = new AbortController();
    loads.add(load);
    try {
      // A stalled import never settles.
      const limit = wait(options.platform.clock, TIMES.requestTimeoutMs, load.signal);
      const found = await Promise.race([part.load(), limit]);
      // After `deauthenticate` an earlier request must not use another session.
      if (load.signal.aborted) throw new CallError(ErrorCode.USER_NOT_AUTHENTICATED);
      if (typeof found === 'boolean') throw new CallError(ErrorCode.ERR_NO_RESPONSE_DUE_TO_TIMEOUT);
      return (rooms ??= found.createRooms({ ...options, connection }));
    } finally {
      loads.delete(load);
      load.abort();
    }
  };

  const receive = (frame: UnreadEvent) => {
    if (rooms) rooms.receive(frame);
    // Without the code of rooms every room is unknown. An invitation makes its room known.
    else if (loads.size > 0 || frame.type === 'invitation_sent') {
      opened().then(
        (loaded) => loaded.receive(frame),
        (error: unknown) => log.warning('an event of a room was not read', { error }),
      );
    }
  };

  return {
    functions: {
      createRoom: (params) => answered(opened().then((loaded) => loaded.create(params))),
      fetchRoomById: (roomId) => answered(opened().then((loaded) => loaded.fetch(roomId))),
      getCachedRoomById: (roomId) => rooms?.cached(roomId),
      createRoomListQuery: (params) =>
        lazyQuery(async () => {
          await opened();
          const { RoomPages } = await part.load();
          return new RoomPages(params, async (query) => (await opened()).page(query));
        }),
    },
    signals: {
      receive,
      restored: () => rooms?.restored(),
      isLive: () => rooms?.isLive() ?? false,
    },
    signOut: () => {
      for (const load of loads) load.abort();
      const isEnding = rooms?.signOut() ?? false;
      rooms = undefined;
      return isEnding;
    },
  };
}

/** Returns the promise, which rejects with a CallError: the code of rooms may not load. */
const answered = <Value>(work: Promise<Value>): Promise<Value> =>
  work.catch((error: unknown) => {
    throw asCallError(error);
  });

/** Returns a query whose code is loaded by its first page. */
function lazyQuery(open: () => Promise<RoomListQuery>): RoomListQuery {
  let query: RoomListQuery | undefined;
  let isOpening = false;
  const turn = async (way: 'next' | 'prev'): Promise<Room[]> => {
    if (isOpening) throw new CallError(ErrorCode.ERR_QUERY_IN_PROGRESS);
    if (!query) {
      isOpening = true;
      query = await open().finally(() => (isOpening = false));
    }
    return query[way]();
  };
  return {
    get hasNext() {
      return query?.hasNext ?? true;
    },
    get hasPrev() {
      return query?.hasPrev ?? false;
    },
    get isLoading() {
      return isOpening || (query?.isLoading ?? false);
    },
    next: () => answered(turn('next')),
    prev: () => answered(turn('prev')),
  };
}
