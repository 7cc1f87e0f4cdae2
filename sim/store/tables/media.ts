/** What users have uploaded. */

interface MediaTable {
  /** Nobody can guess it: whoever has it may see what is not private. */
  media_id: string;
  u_id: string;
  /** photo or voice. */
  kind: string;
  /** profile, chat or identity. */
  purpose: string;
  media_type: string;
  /** Pixels; null for a voice note. */
  width: number | null;
  height: number | null;
  /** `approved`, or why it is rejected; in force from `reviewed_at` on. */
  verdict: string;
  reviewed_at: number;
  created_at: number;
}

interface MediaContentsTable {
  media_id: string;
  /** full or small. */
  size: string;
  content: Uint8Array;
}

export interface MediaTables {
  ringback_media: MediaTable;
  ringback_media_contents: MediaContentsTable;
}
