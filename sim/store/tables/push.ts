import type { Generated } from 'kysely';

/** The devices on which users are told of things while the app is closed. */
interface DevicesTable {
  /** SHA-256 of the token, which is longer than what an index takes. */
  token_hash: string;
  u_id: string;
  token: string;
  /** SHA-256 of the session that made it known, and with which it is forgotten when that is ended; not when its time is over. */
  session_hash: Generated<string>;
  /** When the device last said that it is there. */
  saved_at: number;
  /** The last day on which the app was alive on it, YYYY-MM-DD; null where it did not say. */
  alive_on: string | null;
}

export interface PushTables {
  ringback_devices: DevicesTable;
}
