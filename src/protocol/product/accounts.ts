/** Accounts and sessions: registration, login, and changes by the owner. */
import * as v from 'valibot';
import { endpoints } from '../endpoint.ts';
import { CITY_CHARACTERS, INTRO_CHARACTERS, LANGUAGES, NICKNAME_CHARACTERS } from './profile-limits.ts';
import { done, genderType, time } from './values.ts';

const CODE_DIGITS = 6;

/** A phone or an e-mail as a user types it. The server parses it, and refuses other texts with `invalid`. */
export const contactText = v.pipe(v.string(), v.minLength(3), v.maxLength(254));
/** A user id, a phone or an e-mail. */
const identifier = v.pipe(v.string(), v.minLength(1), v.maxLength(254));
/** The six digits of a code. */
export const code = v.pipe(v.string(), v.digits(), v.length(CODE_DIGITS));
/** A password. The rules for its strength are in password-rules.ts. */
const password = v.pipe(v.string(), v.maxLength(256));
/** A day: YYYY-MM-DD. */
const birthday = v.pipe(v.string(), v.isoDate());
const nickname = v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(NICKNAME_CHARACTERS));
const city = v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(CITY_CHARACTERS));

/** The purpose of a code. A code is valid only for the purpose it was sent for. */
const codePurpose = v.picklist(['register', 'login', 'reset']);

/** The offer of a woman at registration. The prices are those of the tier. She can change them later. */
const service = v.strictObject({
  voice: v.boolean(),
  video: v.boolean(),
  tier: v.picklist(['gentle', 'usual', 'premium']),
  languages: v.pipe(v.array(v.picklist(LANGUAGES)), v.minLength(1), v.maxLength(LANGUAGES.length)),
  intro: v.pipe(v.string(), v.trim(), v.maxLength(INTRO_CHARACTERS)),
});
export type Service = v.InferOutput<typeof service>;
export type PriceTier = Service['tier'];

const registrationOfAll = {
  contact: contactText,
  /** The code that was sent to the contact for `register`. */
  code,
  password,
  birthday,
  nickname,
  city,
  terms_accepted: v.literal(true),
};

const registration = v.variant('gender_type', [
  v.strictObject({ gender_type: v.literal('man'), ...registrationOfAll }),
  v.strictObject({ gender_type: v.literal('woman'), ...registrationOfAll, service }),
]);
export type Registration = v.InferOutput<typeof registration>;

/** The answer to a login: a bearer token for the product, and the identity for the calling service. */
export const loginAnswer = v.object({
  token: v.string(),
  u_id: v.string(),
  gender_type: genderType,
  calling_user_id: v.string(),
  calling_access_token: v.string(),
});
export type LoginAnswer = v.InferOutput<typeof loginAnswer>;

/** The seconds until another code may be requested, and until this code expires. */
export const codeSent = v.object({ resend_after: v.number(), expires_in: v.number() });
export type CodeSent = v.InferOutput<typeof codeSent>;

/** The changes that need a proof of ownership. A code is valid only for the change it was sent for. */
export const ownerChange = v.picklist(['contact', 'payout_account', 'password']);
export type OwnerChange = v.InferOutput<typeof ownerChange>;

/** The proof that the client belongs to the owner of the account: the password, or the code that was sent for it. */
export const ownerProof = v.union([v.strictObject({ password }), v.strictObject({ code })]);
export type OwnerProof = v.InferOutput<typeof ownerProof>;

export const ownerProofs = v.object({
  has_password: v.boolean(),
  /** The contact that gets the code, masked. Null when no contact of the user is old enough. */
  contact: v.nullable(v.string()),
  /** When a contact becomes old enough, if none is yet. */
  contact_from: v.nullable(time),
  /** The age that an added or changed contact must have, seconds. */
  cool_off_seconds: v.number(),
});
export type OwnerProofs = v.InferOutput<typeof ownerProofs>;

/** A session of a user on a device. */
const session = v.object({
  /** The id that ends the session. It grants nothing else. */
  session_id: v.string(),
  /** True for the session that sends the request. */
  is_this: v.boolean(),
  /** The name of the browser, for example Chrome. Null when it is unknown. */
  browser: v.nullable(v.string()),
  /** The operating system, for example Windows or iPhone. Null when it is unknown. */
  system: v.nullable(v.string()),
  began_at: time,
  /** When the session was last used. It may be an hour behind. */
  used_at: time,
});
export type Session = v.InferOutput<typeof session>;

/** The most sessions in a list: the latest. Only abuse makes more. */
export const MOST_SESSIONS = 50;

const demoUser = v.object({
  u_id: v.string(),
  nickname: v.string(),
  profile_url: v.string(),
  gender_type: genderType,
});
export type DemoUser = v.InferOutput<typeof demoUser>;

/** The subject of a letter: a code for a purpose, or a notice. */
export const letterAbout = v.picklist([
  'register',
  'login',
  'reset',
  'contact',
  'confirm',
  'owner_contact',
  'owner_payout_account',
  'owner_password',
  'password_changed',
  'contact_changed',
  'payout_account_changed',
  'account_exists',
]);

/** A letter that the demo's courier has delivered. No letter leaves the machine. */
export const letter = v.object({
  to: v.string(),
  at: time,
  about: letterAbout,
  code: v.nullable(v.string()),
});
export type Letter = v.InferOutput<typeof letter>;

export const accountEndpoints = endpoints({
  sendCode: {
    method: 'POST',
    path: '/auth/otp',
    access: 'anybody',
    about:
      'Sends a code of six digits to a phone or an e-mail. The answer does not reveal whether an account has it. An owner who tries to register gets a message about the account instead.',
    body: v.strictObject({ to: contactText, purpose: codePurpose }),
    answer: codeSent,
  },
  checkCode: {
    method: 'POST',
    path: '/auth/otp/check',
    access: 'anybody',
    about: 'Checks a code without using it up. The check extends a right code by half an hour.',
    body: v.strictObject({ to: contactText, purpose: codePurpose, code }),
    answer: done,
  },
  available: {
    method: 'GET',
    path: '/auth/available',
    access: 'anybody',
    about: 'Returns whether a nickname may be registered. There is no such check for a contact.',
    query: v.strictObject({ nickname }),
    answer: v.object({ nickname: v.boolean() }),
  },
  register: {
    method: 'POST',
    path: '/auth/register',
    access: 'anybody',
    about: 'Creates an account for a user of 18 or older, and signs the user in.',
    body: registration,
    header: 'user-agent',
    answer: loginAnswer,
  },
  login: {
    method: 'POST',
    path: '/auth/login',
    access: 'anybody',
    about: 'Signs a user in by user id, phone or e-mail, with a password or a code. The demo users need neither.',
    body: v.strictObject({ user_id: identifier, password: v.optional(password), code: v.optional(code) }),
    header: 'user-agent',
    answer: loginAnswer,
  },
  logout: {
    method: 'POST',
    path: '/auth/logout',
    access: 'user',
    about: 'Ends the session whose token sends the request.',
    answer: done,
  },
  resetPassword: {
    method: 'POST',
    path: '/auth/password/reset',
    access: 'anybody',
    about: 'Sets a new password by a code to a contact that is old enough, ends every session, and signs in.',
    body: v.strictObject({ contact: contactText, code, password }),
    header: 'user-agent',
    answer: loginAnswer,
  },
  changePassword: {
    method: 'PUT',
    path: '/me/password',
    access: 'user',
    about: 'Sets a password, and ends every other session of the user. The contacts of the user get a security notice.',
    body: v.strictObject({ password, proof: ownerProof }),
    answer: done,
  },
  sessions: {
    method: 'GET',
    path: '/me/sessions',
    access: 'user',
    about: `Lists the sessions of the user: this one first, then the latest. At most ${MOST_SESSIONS}.`,
    answer: v.object({ sessions: v.array(session) }),
  },
  endSession: {
    method: 'DELETE',
    path: '/me/sessions/{session_id}',
    access: 'user',
    about: 'Ends a session, with its sockets, its calls and the pushes to its device.',
    answer: done,
  },
  endOtherSessions: {
    method: 'DELETE',
    path: '/me/sessions',
    access: 'user',
    about: 'Ends every other session of the user.',
    answer: done,
  },
  refreshToken: {
    method: 'GET',
    path: '/auth/refresh_token',
    access: 'user',
    about: 'Returns the user of a valid token (app-shell §7).',
    answer: v.object({ u_id: v.string() }),
  },
  deleteMe: {
    method: 'DELETE',
    path: '/me',
    access: 'user',
    about:
      'Closes the account for good: profile, contacts, documents and sessions. The ledger keeps its rows, without a name.',
    body: v.strictObject({ password }),
    answer: done,
  },
  demoUsers: {
    method: 'GET',
    path: '/demo/users',
    access: 'anybody',
    about: 'Lists the demo users that a visitor can sign in as.',
    answer: v.object({ users: v.array(demoUser) }),
  },
  demoMailbox: {
    method: 'GET',
    path: '/demo/mailbox',
    access: 'anybody',
    about: 'Lists the latest letters of the demo world, newest first: all of them, or those to one contact.',
    query: v.strictObject({ to: v.optional(contactText) }),
    answer: v.object({ letters: v.array(letter) }),
  },
});
