import type { Generated } from 'kysely';

/** The devices on which users get notifications while the app is closed. */
interface DevicesTable {
  /** SHA-256 of the token, which is too long for an index. */
  token_hash: string;
  u_id: string;
  token: string;
  /**
   * SHA-256 of the session that registered the device. An explicit end of the session deletes the device, but its
   * expiry does not.
   */
  session_hash: Generated<string>;
  /** When the device last reported. */
  saved_at: number;
  /** The last day on which the app was alive, YYYY-MM-DD. Null without a report. */
  alive_on: string | null;
}

export interface PushTables {
  ringback_devices: DevicesTable;
}
