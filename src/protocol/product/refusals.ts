/** The refusals of the product server: the code of the body, and its HTTP status. The app has a text for each. */
import * as v from 'valibot';

export const REFUSALS = {
  /** The request breaks its schema. `field` names the wrong field. */
  invalid: 400,
  /** The request has no valid token. */
  signed_out: 401,
  /** The user or the password is wrong. One answer covers both. */
  wrong_credentials: 401,
  /** Only another kind of user, or another user, may do this. */
  not_yours: 403,
  /** One of the two users has blocked the other. The answer does not say which. */
  blocked: 403,
  not_found: 404,
  wrong_method: 405,
  /** Another user has the nickname, the phone or the e-mail. `field` names which. */
  taken: 409,
  /** The user is younger than 18. */
  too_young: 403,
  /** The password is too short, too long, or commonly used. */
  weak_password: 400,
  /** The code is not the one that was sent. */
  code_wrong: 400,
  /** The code has expired, has been used, or was never sent. */
  code_expired: 410,
  /** The code was tried too often. The user needs a new one. */
  code_spent: 410,
  /** Too many wrong passwords. `retry_after` is the wait in seconds. A code still signs in. */
  locked: 423,
  /** The operator of the server has closed the account. */
  suspended: 403,
  /** The server has no way to send a code. */
  undeliverable: 503,
  /** A required part is missing. `field` names it. */
  incomplete: 409,
  /** The contact is too new to confirm the request. `retry_after` is the wait in seconds. */
  cooling_off: 409,
  /** The state does not allow the request. For example, an item under review cannot be changed. */
  wrong_state: 409,
  /** All tries are used. `retry_after` is the wait in seconds. */
  no_tries_left: 429,
  /** The user has too few coins or points. */
  insufficient_coins: 402,
  insufficient_points: 402,
  /** The Idempotency-Key belonged to another request before. */
  key_reused: 409,
  /** The amount is above the monthly limit. */
  limit_reached: 403,
  /** The type of the file is not allowed, or the file has another type than it states. */
  wrong_file: 415,
  /** The file, or the picture in it, is too large. */
  too_large: 413,
  /** Too many requests. `retry_after` is the wait in seconds. */
  too_many: 429,
  /** The server is overloaded. `retry_after` is the wait in seconds. */
  busy: 503,
  /** The server failed. The answer has no details. */
  failed: 500,
} as const satisfies Record<string, number>;

export type RefusalCode = keyof typeof REFUSALS;

/** The body of every refusal. */
export const refusalBody = v.object({
  code: v.string(),
  message: v.string(),
  field: v.optional(v.string()),
  /** The seconds after which the client may retry. */
  retry_after: v.optional(v.number()),
});
export type RefusalBody = v.InferOutput<typeof refusalBody>;
