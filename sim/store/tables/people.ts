/** The tables of relations between users, and of the pictures of profiles. */

/** A relation of one user to another, since a time. */
interface PairTable {
  u_id: string;
  other: string;
  at: number;
}

interface ProfilePhotosTable {
  u_id: string;
  /** The position from 0, which is the cover. */
  place: number;
  media_id: string;
}

interface ReportsTable {
  report_id: string;
  /** The user who reports. */
  u_id: string;
  other: string;
  reason: string;
  note: string;
  at: number;
}

interface CallRatingsTable {
  call_id: string;
  /** The user who rates. */
  u_id: string;
  /** 1 to 5. */
  stars: number;
  at: number;
}

export interface PeopleTables {
  ringback_profile_photos: ProfilePhotosTable;
  ringback_favorites: PairTable;
  ringback_blocks: PairTable;
  /** The requests of users to be notified when another user comes online. */
  ringback_watches: PairTable;
  ringback_reports: ReportsTable;
  ringback_call_ratings: CallRatingsTable;
}
