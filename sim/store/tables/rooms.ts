/** The tables of rooms. */

/** One row for each room, open or deleted. */
interface RoomsTable {
  room_id: string;
  /** The name of the exchange in whose memory the participants are. Empty for an exchange without a name. */
  exchange: string;
  room_type: string;
  created_at: number;
  created_by: string;
  /** JSON. */
  custom_items: string;
  items_affected_at: number;
  sequence: number;
  /** The number of participants in the room. */
  participants: number;
  /** Null while the room is open. */
  deleted_at: number | null;
}

/** One row for each time that a participant spent in a room. */
interface RoomStaysTable {
  participant_id: string;
  room_id: string;
  user_id: string;
  client_id: string;
  entered_at: number;
  exited_at: number;
  /** Milliseconds. */
  duration: number;
  /** Why the exchange ended the stay. Null when the participant left. */
  reason: string | null;
}

export interface RoomTables {
  ringback_rooms: RoomsTable;
  ringback_room_stays: RoomStaysTable;
}
