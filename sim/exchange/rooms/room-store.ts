/** The port of the stored rooms. A room outlives its participants, and its record outlives its deletion. */
import type { RoomState, RoomType } from '../../../src/protocol/room-entities.ts';
import type { CustomItems } from '../calls/custom-items.ts';

/** A room as it is stored. Times are milliseconds since the epoch. */
export interface RoomRecord {
  readonly roomId: string;
  /** The name of the exchange in whose memory the participants are. Empty for an exchange without a name. */
  readonly exchange: string;
  readonly type: RoomType;
  readonly createdAt: number;
  readonly createdBy: string;
  readonly items: CustomItems;
  readonly sequence: number;
  /** The number of participants in the room. */
  readonly participants: number;
  /** Null while the room is open. */
  readonly deletedAt: number | null;
}

/** The time that a participant spent in a room. */
export interface RoomStay {
  readonly participantId: string;
  readonly roomId: string;
  readonly userId: string;
  readonly clientId: string;
  readonly enteredAt: number;
  readonly exitedAt: number;
  /** Milliseconds. */
  readonly duration: number;
  /** Why the exchange ended the stay. Null when the participant left. */
  readonly reason: string | null;
}

/** A query of rooms, newest first. A bound that is null is open. An empty list allows any. */
export interface RoomQuery {
  readonly type: RoomType | null;
  readonly state: RoomState | null;
  readonly roomIds: readonly string[];
  readonly createdBy: readonly string[];
  readonly participants: readonly [from: number | null, to: number | null];
  readonly createdAt: readonly [from: number | null, to: number | null];
  readonly limit: number;
  /** The room after which, or before which, the page lies. Null for the first page. */
  readonly beside: { readonly roomId: string; readonly side: 'after' | 'before' } | null;
}

/** A page of rooms, newest first. */
export interface RoomPage {
  readonly rooms: readonly RoomRecord[];
  /** Whether older rooms follow the page, and whether newer ones precede it. */
  readonly hasNext: boolean;
  readonly hasPrevious: boolean;
}

export interface RoomStore {
  /** Saves a room in place of its former record. */
  save(record: RoomRecord): Promise<void>;
  /** Returns the record of a room, open or deleted. Undefined for an unknown room. */
  find(roomId: string): Promise<RoomRecord | undefined>;
  /** Returns a page of rooms. Undefined when there is no room with the id in `beside`. */
  query(query: RoomQuery): Promise<RoomPage | undefined>;
  /** Returns the number of open rooms that a user created. */
  countOpen(userId: string): Promise<number>;
  /** Sets the number of participants of every room of an exchange to 0: it starts, and no user has entered. */
  emptyAll(exchange: string): Promise<void>;
  /** Saves a stay. A second one of the same participant changes nothing. */
  saveStay(stay: RoomStay): Promise<void>;
  /** Returns the stays of a room, in the order of their entries. */
  stays(roomId: string): Promise<readonly RoomStay[]>;
  /**
   * Erases a user: deletes the stays of the user, and the rooms of the user without participants. Other rooms lose the
   * name of their creator.
   */
  forgetUser(userId: string): Promise<void>;
}
