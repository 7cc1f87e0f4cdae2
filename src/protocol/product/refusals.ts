/** Why the product server refuses a request: the code of the body, and its HTTP status. The app has words for each. */
import * as v from 'valibot';

export const REFUSALS = {
  /** The request is not what the schema says; `field` names what is wrong. */
  invalid: 400,
  /** No valid token. */
  signed_out: 401,
  /** The user or the password is wrong: one answer for both. */
  wrong_credentials: 401,
  /** The other kind of user's, or somebody else's. */
  not_yours: 403,
  /** One of the two has blocked the other; nobody is told who. */
  blocked: 403,
  not_found: 404,
  wrong_method: 405,
  /** The nickname, the phone or the e-mail is somebody else's already; `field` names which. */
  taken: 409,
  /** Younger than 18. */
  too_young: 403,
  /** Too short, too long, or one that everybody tries first. */
  weak_password: 400,
  /** Not the code that was sent. */
  code_wrong: 400,
  /** The code was sent too long ago, has been used, or was never sent. */
  code_expired: 410,
  /** Tried too often: a new code is needed. */
  code_spent: 410,
  /** Too many wrong passwords: `retry_after` says in how many seconds again. A code still signs in. */
  locked: 423,
  /** The account was closed by those who run the server. */
  suspended: 403,
  /** The server has no way to send a code. */
  undeliverable: 503,
  /** Something of it is missing still; `field` names what. */
  incomplete: 409,
  /** The contact is too new to confirm it: `retry_after` says in how many seconds it does. */
  cooling_off: 409,
  /** Not in the state it is in: what is being reviewed, for instance, is not changed. */
  wrong_state: 409,
  /** Tried as often as is allowed: `retry_after` says in how many seconds again. */
  no_tries_left: 429,
  /** The purse does not hold what it would take. */
  insufficient_coins: 402,
  insufficient_points: 402,
  /** The Idempotency-Key stood for another request before. */
  key_reused: 409,
  /** It is more than may be spent this month. */
  limit_reached: 403,
  /** A file is of no kind that is taken here, or not of the kind it says. */
  wrong_file: 415,
  /** A file, or the picture in it, is too large. */
  too_large: 413,
  /** Too many requests: `retry_after` says in how many seconds again. */
  too_many: 429,
  /** The server has too much to do: `retry_after` says in how many seconds again. */
  busy: 503,
  /** The server failed, and says no more about it. */
  failed: 500,
} as const satisfies Record<string, number>;

export type RefusalCode = keyof typeof REFUSALS;

/** The body of every refusal. */
export const refusalBody = v.object({
  code: v.string(),
  message: v.string(),
  field: v.optional(v.string()),
  /** Seconds. */
  retry_after: v.optional(v.number()),
});
export type RefusalBody = v.InferOutput<typeof refusalBody>;
