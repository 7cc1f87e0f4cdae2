/** How people stand to each other, and the pictures of their profiles. */

/** Somebody has done something to another at a time. */
interface PairTable {
  u_id: string;
  other: string;
  at: number;
}

interface ProfilePhotosTable {
  u_id: string;
  /** From 0, the cover. */
  place: number;
  media_id: string;
}

interface ReportsTable {
  report_id: string;
  /** Who reports. */
  u_id: string;
  other: string;
  reason: string;
  note: string;
  at: number;
}

interface CallRatingsTable {
  call_id: string;
  /** Whose word it is. */
  u_id: string;
  /** 1 to 5. */
  stars: number;
  at: number;
}

export interface PeopleTables {
  ringback_profile_photos: ProfilePhotosTable;
  ringback_favorites: PairTable;
  ringback_blocks: PairTable;
  /** Who waits for whom to come online. */
  ringback_watches: PairTable;
  ringback_reports: ReportsTable;
  ringback_call_ratings: CallRatingsTable;
}
