/** The tables of users and their sessions. */
import type { Generated } from 'kysely';

interface AccountsTable {
  u_id: string;
  gender_type: string;
  /** Null for a user without a password. */
  password_hash: string | null;
  /** 1 for a person of the demo world, who signs in without a password there. */
  is_demo: number;
  joined_at: number;
  /** Null for people that the server was started with. */
  terms_accepted_at: number | null;
  /** Set by the operator of the server. A suspended user is signed out within 30 seconds, and cannot sign in. */
  suspended_at: number | null;
}

/** The e-mails and phones with which users sign in: at most one of each kind, each of one user. */
interface ContactsTable {
  u_id: string;
  /** `email` or `phone`. */
  kind: string;
  /** An e-mail in lower case, or a phone in the E.164 format. */
  value: string;
  verified_at: number;
}

/** The codes that were sent. */
interface CodesTable {
  id: string;
  /** The e-mail or phone. */
  destination: string;
  /** The purpose of the code. A change of a signed-in user includes the user id. */
  purpose: string;
  /** An HMAC with a secret of the server. A plain hash of six digits could be reversed at once. */
  code_hash: string;
  sent_at: number;
  expires_at: number;
  tries: number;
}

interface IdentitiesTable {
  u_id: string;
  /** `draft`, `pending`, `approved` or `rejected`. */
  state: string;
  document_kind: string;
  note: string;
  submitted_at: number | null;
  /** When the reviewer's decision is due, or was made. */
  decided_at: number | null;
  /** When an approval expires. */
  expires_at: number | null;
  /** JSON: the faults, step by step. */
  reasons: string;
}

/** The pictures of identities. Never served, and deleted with the approval. */
interface IdentityPicturesTable {
  u_id: string;
  step: string;
  /** A JPEG in base64, without the data of the camera. */
  picture: string;
}

interface IdentityTriesTable {
  u_id: string;
  at: number;
}

interface ProfilesTable {
  u_id: string;
  intro: Generated<string>;
  /** Centimetres. */
  height: Generated<number | null>;
  job: Generated<string>;
  /** JSON: an array of texts. */
  languages: Generated<string>;
  /** JSON: an array of texts. */
  tags: Generated<string>;
  /** The media id. */
  voice_intro: Generated<string | null>;
  /** Coins a minute. `price` is for video. */
  voice_price: Generated<number>;
  /** 0 or 1. */
  accepts_voice: Generated<number>;
  /** 1 while the user takes no calls. */
  resting: Generated<number>;
  /** Minutes of the day in Taipei. Both are set, or neither. */
  quiet_from: Generated<number | null>;
  quiet_to: Generated<number | null>;
  /** Since when reports about the user await a review. */
  flagged_at: Generated<number | null>;
  nickname: string;
  /** The nickname in its compared form, since databases differ in case and accents. */
  name_key: string;
  /** YYYY-MM-DD. */
  birthday: string;
  city: string;
  /** Coins a minute. */
  price: number;
  /** 0 or 1. */
  accepts_video: number;
  /** 0 or 1. */
  verified: number;
}

interface SignInsTable {
  /** SHA-256 of the token, so that a reader of the table cannot sign in with it. */
  token_hash: string;
  /** SHA-256 of the token for the calling service, which is valid as long as the session. */
  calling_hash: string;
  u_id: string;
  expires_at: number;
  /** The public id of the session. It gives no access. */
  session_id: string;
  began_at: number;
  /** When the session was last used, up to an hour too early. */
  used_at: number;
  /** A name from a fixed list, read from the user agent. Null for an unknown one. */
  browser: string | null;
  system: string | null;
}

/** Notices that the courier has not accepted yet. */
interface LettersTable {
  id: string;
  /** An e-mail or a phone. */
  destination: string;
  about: string;
  kept_at: number;
  /** When the server hands it to the courier next. */
  due_at: number;
}

/** The secrets of the servers that share the database. */
interface SecretsTable {
  name: string;
  value: string;
}

/** The kind of server that made the database: one row, of id 1. */
interface WorldTable {
  id: number;
  /** 1 for a server in demo mode. */
  is_demo: number;
}

export interface AccountTables {
  ringback_world: WorldTable;
  ringback_accounts: AccountsTable;
  ringback_profiles: ProfilesTable;
  ringback_sign_ins: SignInsTable;
  ringback_secrets: SecretsTable;
  ringback_contacts: ContactsTable;
  ringback_codes: CodesTable;
  ringback_letters: LettersTable;
  ringback_identities: IdentitiesTable;
  ringback_identity_pictures: IdentityPicturesTable;
  ringback_identity_tries: IdentityTriesTable;
}
