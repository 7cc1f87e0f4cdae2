/** Who the users are, and who is signed in. */
import type { Generated } from 'kysely';

interface AccountsTable {
  u_id: string;
  gender_type: string;
  /** Null for somebody who cannot sign in by a password. */
  password_hash: string | null;
  /** 1 for somebody of the demo world, who signs in without a password there. */
  is_demo: number;
  joined_at: number;
  /** Null for whom the server was started with. */
  terms_accepted_at: number | null;
  /** Set by those who run the server: whoever is suspended is signed out within half a minute, and stays so. */
  suspended_at: number | null;
}

/** The e-mails and phones by which people sign in: one of each kind, nobody else's. */
interface ContactsTable {
  u_id: string;
  /** `email` or `phone`. */
  kind: string;
  /** An e-mail in small letters, a phone as E.164 writes it. */
  value: string;
  verified_at: number;
}

/** Codes that were sent. */
interface CodesTable {
  id: string;
  /** The e-mail or phone. */
  destination: string;
  /** What it is for; of a change of one's contact, also whose. */
  purpose: string;
  /** HMAC with a secret of the server: six digits alone are soon tried. */
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
  /** When the reviewer is done, or was. */
  decided_at: number | null;
  /** Until when an approval holds. */
  expires_at: number | null;
  /** JSON: what was wrong, step by step. */
  reasons: string;
}

/** Never served; deleted with the approval. */
interface IdentityPicturesTable {
  u_id: string;
  step: string;
  /** A JPEG in base64, without what the camera wrote into it. */
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
  /** JSON: a list of texts. */
  languages: Generated<string>;
  /** JSON: a list of texts. */
  tags: Generated<string>;
  /** An id of media. */
  voice_intro: Generated<string | null>;
  /** Coins a minute; `price` is that of video. */
  voice_price: Generated<number>;
  /** 0 or 1. */
  accepts_voice: Generated<number>;
  /** 1 while she takes no calls at all. */
  resting: Generated<number>;
  /** Minutes of the day in Taipei, both or neither. */
  quiet_from: Generated<number | null>;
  quiet_to: Generated<number | null>;
  /** Since when somebody ought to look at what is reported of them. */
  flagged_at: Generated<number | null>;
  nickname: string;
  /** The nickname as it is compared: databases do not agree on what capitals and accents are. */
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
  /** SHA-256 of the token: whoever reads the table cannot sign in with it. */
  token_hash: string;
  /** SHA-256 of the token that the calling service takes for as long as the session lasts. */
  calling_hash: string;
  u_id: string;
  expires_at: number;
  /** By which its owner names it: it opens nothing. */
  session_id: string;
  began_at: number;
  /** At most an hour before it was. */
  used_at: number;
  /** Names of a list of our own, read from what the browser calls itself; null where they are not in it. */
  browser: string | null;
  system: string | null;
}

/** News that the courier has not taken yet. */
interface LettersTable {
  id: string;
  /** An e-mail or a phone. */
  destination: string;
  about: string;
  kept_at: number;
  /** When it is handed to the courier, or handed again. */
  due_at: number;
}

/** What the server alone knows, and all who share the database with it. */
interface SecretsTable {
  name: string;
  value: string;
}

/** What kind of server made the database: one row, of id 1. */
interface WorldTable {
  id: number;
  /** 1 where a server in demo mode made it. */
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
