/** The form of a row of the table of input budgets. */

/**
 * The sender of an input. `visitor`: a client without a session that brings a short-lived token. `user`: a user with a
 * session. `man` and `woman`: a user of that kind. `party`: a device that takes part in the call.
 */
export type Sender = 'anybody' | 'visitor' | 'user' | 'man' | 'woman' | 'party';

/**
 * The key that a limit counts by. `address`: the client's IP address, of IPv6 its first 64 bits. `account`: the user of
 * the session. `device`: the client id of a user. `target`: the user or contact that the input is about. `target and
 * address`: both together. `server`: all inputs together.
 */
export type CountedBy = 'address' | 'account' | 'device' | 'target' | 'target and address' | 'server';

/**
 * A number of points in a window. The window begins with the first point. For limits by device and by account, the
 * calling service refills the points evenly over the window.
 */
export interface RateLimit {
  readonly by: CountedBy;
  /** Inputs in one window. */
  readonly points: number;
  /** The length of the window, seconds. */
  readonly seconds: number;
  /** `failures`: only refused inputs count. `bytes`: a point is a byte of input. Default: each input counts. */
  readonly of?: 'failures' | 'bytes';
}

/** The time after which the server deletes something: seconds, or the event that ends it. */
export type Lifetime =
  | { readonly seconds: number }
  | 'until the call is deleted'
  | 'until newer ones replace them'
  | 'until a request 5 to 20 minutes later'
  | 'until the session ends'
  | 'until the account is closed'
  | 'until deletion'
  | 'until the participant leaves'
  | 'for a year'
  | 'for a year, in the history of the call'
  | 'for two years, or until the account is closed'
  | 'permanently';

/** Something that the server keeps because of an input. */
export interface Kept {
  /** Its name in the plural: `favourites`. */
  readonly what: string;
  /** The most items of one account, call or device. Null without a bound other than the rate limit. */
  readonly most: number | null;
  /** The lifetime of each item. */
  readonly for: Lifetime;
}

/** A row of the table: the most that one kind of input may cost the server. */
export interface InputBudget {
  readonly sender: Sender;
  /** The largest body or frame, bytes. 0: the server accepts none. */
  readonly maxBytes: number;
  readonly limits: readonly RateLimit[];
  /** The parameter of the path, or the field of the body, that names the target of the limits by target. */
  readonly target?: string;
  readonly keeps: readonly Kept[];
}
