/** The tables of uploaded files. */

interface MediaTable {
  /** Random, so that it cannot be guessed. */
  media_id: string;
  u_id: string;
  /** photo or voice. */
  kind: string;
  /** profile, chat or identity. */
  purpose: string;
  media_type: string;
  /** Pixels. Null for a voice note. */
  width: number | null;
  height: number | null;
  /** `approved`, or the reason of a rejection. In force from `reviewed_at` on. */
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
