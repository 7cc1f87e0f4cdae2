import type { Room } from './room.ts';
import type { RoomState, RoomType } from './room-enumerations.ts';

/** The two bounds of a range, both included. Undefined without a bound. */
export type Range = readonly [number | undefined, number | undefined];

/** The filters and the page size of a query of rooms. Each field is optional. */
export interface RoomListQueryParams {
  /** The type of the rooms. Default: all. */
  type?: RoomType | 'all' | undefined;
  /** The number of rooms on a page, clamped to 1 to 100. Default: 10. */
  limit?: number | undefined;
  /** The state of the rooms. Default: both. */
  state?: RoomState | undefined;
  /** The ids of the rooms. Default: any. */
  roomIds?: readonly string[] | undefined;
  /** The ids of the users who created the rooms. Default: any. */
  createdByUserIds?: readonly string[] | undefined;
  /** The number of participants now. Default: any. */
  currentParticipantCount?: Range | undefined;
  /** When the rooms were created. Milliseconds since the epoch. Default: any. */
  createdAt?: Range | undefined;
}

/** A query of rooms, newest first, page by page (§3, room list result). */
export interface RoomListQuery {
  /** False after the last page. True before the first page. */
  readonly hasNext: boolean;
  /** False before the first page, and on it. */
  readonly hasPrev: boolean;
  /** True while a page is requested. */
  readonly isLoading: boolean;
  /**
   * Returns the next page. Empty after the last page.
   *
   * @throws CallError ERR_QUERY_IN_PROGRESS (1800206) while a page is requested; INSTANCE_NOT_INITIALIZED (1800302)
   *   before `init`; USER_NOT_AUTHENTICATED (1800303) before `authenticate` resolves; ERR_REQUEST_FAILED (1800200) when
   *   the request fails; the code of the exchange when it refuses.
   */
  next(): Promise<Room[]>;
  /**
   * Returns the page before the last one. Empty before the first page.
   *
   * @throws CallError as {@link next}.
   */
  prev(): Promise<Room[]>;
}
