import { CallError, ErrorCode, invalidType, invalidValue } from '../../protocol/errors.ts';
import { ROOM_LIMITS } from '../../protocol/limits.ts';
import { ROOM_TYPES } from '../../protocol/room-entities.ts';
import { asCallError } from '../host/call-host.ts';
import { isEmpty, optionalText, requireId, requireObject } from '../host/checks.ts';
import { RoomState } from './room-enumerations.ts';
import type { RoomListQuery, RoomListQueryParams } from './room-list-query.ts';
import type { RoomPage, RoomQuery } from './room-requests.ts';
import type { Room } from './room.ts';

/** A page of rooms, and the cursors of the pages beside it. */
export interface PageOfRooms extends Pick<RoomPage, 'prev' | 'next'> {
  readonly rooms: Room[];
}

/** Requests one page. */
export type FetchPage = (query: RoomQuery) => Promise<PageOfRooms>;

/** A query of rooms, page by page (§3). */
export class RoomPages implements RoomListQuery {
  readonly #fetch: FetchPage;
  readonly #params: RoomListQueryParams | null | undefined;
  /** The cursors of the last page. Null for no further page, undefined before the first page. */
  #next: string | null | undefined;
  #prev: string | null = null;
  #isLoading = false;

  constructor(params: RoomListQueryParams | null | undefined, fetch: FetchPage) {
    this.#params = params;
    this.#fetch = fetch;
  }

  get hasNext(): boolean {
    return this.#next !== null;
  }

  get hasPrev(): boolean {
    return this.#prev !== null;
  }

  get isLoading(): boolean {
    return this.#isLoading;
  }

  next(): Promise<Room[]> {
    return this.#page(this.#next === undefined ? {} : { next: this.#next });
  }

  prev(): Promise<Room[]> {
    return this.#page({ prev: this.#prev });
  }

  async #page(cursor: { readonly next?: string | null; readonly prev?: string | null }): Promise<Room[]> {
    if (this.#isLoading) throw new CallError(ErrorCode.ERR_QUERY_IN_PROGRESS);
    const [at = ''] = Object.values(cursor);
    if (at === null) return [];
    const query = { ...roomQuery(this.#params), ...(at === '' ? {} : (cursor as { next?: string; prev?: string })) };
    this.#isLoading = true;
    try {
      const { rooms, next, prev } = await this.#fetch(query);
      this.#next = next;
      this.#prev = prev;
      return rooms;
    } catch (error) {
      throw asCallError(error);
    } finally {
      this.#isLoading = false;
    }
  }
}

/**
 * Checks the filters of a query of rooms, and returns them as the exchange reads them.
 * @throws CallError `INVALID_PARAMETER_VALUE` or `INVALID_PARAMETER_TYPE` for the wrong parameter.
 */
function roomQuery(params: RoomListQueryParams | null | undefined): RoomQuery {
  const given: RoomListQueryParams = isEmpty(params) ? {} : requireObject(params, 'params');
  const type = optionalText(given.type, 'type');
  if (type !== undefined && type !== 'all' && !ROOM_TYPES.some((one) => one === type)) throw invalidValue('type');
  const state = optionalText(given.state, 'state');
  if (state !== undefined && !Object.values(RoomState).some((one) => one === state)) throw invalidValue('state');
  const [participantsFrom, participantsTo] = range(given.currentParticipantCount, 'currentParticipantCount');
  const [createdFrom, createdTo] = range(given.createdAt, 'createdAt');
  return {
    type: type === 'all' ? undefined : type,
    state,
    limit: pageLimit(given.limit),
    room_ids: idList(given.roomIds, 'roomIds'),
    created_by_user_ids: idList(given.createdByUserIds, 'createdByUserIds'),
    current_participant_range_gte: participantsFrom,
    current_participant_range_lte: participantsTo,
    created_at_start_date: createdFrom,
    created_at_end_date: createdTo,
  };
}

/** Returns the limit in its bounds (B21). A value that is no number counts as none. */
function pageLimit(given: unknown): string {
  const isNumber = typeof given === 'number' && !Number.isNaN(given);
  const limit = isNumber ? Math.trunc(given) : ROOM_LIMITS.roomPage.default;
  return String(Math.min(ROOM_LIMITS.roomPage.max, Math.max(ROOM_LIMITS.roomPage.min, limit)));
}

function idList(given: unknown, param: string): string[] | undefined {
  if (isEmpty(given)) return undefined;
  if (!Array.isArray(given)) throw invalidType(param);
  if (given.length > ROOM_LIMITS.roomQueryIds) throw invalidValue(param);
  const ids = given.map((id: unknown) => requireId(id, param));
  // The list is joined with commas (§7).
  if (ids.some((id) => id.includes(','))) throw invalidValue(param);
  return ids.length === 0 ? undefined : ids;
}

function range(given: unknown, param: string): [string | undefined, string | undefined] {
  if (isEmpty(given)) return [undefined, undefined];
  if (!Array.isArray(given)) throw invalidType(param);
  const [from, to] = given.map((bound: unknown) => {
    if (isEmpty(bound)) return undefined;
    if (typeof bound !== 'number') throw invalidType(param);
    if (!Number.isSafeInteger(bound) || bound < 0) throw invalidValue(param);
    return bound;
  });
  if (from !== undefined && to !== undefined && from > to) throw invalidValue(param);
  return [from?.toString(), to?.toString()];
}
