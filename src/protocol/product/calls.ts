/** The cost and the ratings of calls. */
import * as v from 'valibot';
import { endpoints } from '../endpoint.ts';
import { done, userId } from './values.ts';

export const callKind = v.picklist(['voice', 'video']);
export type CallKind = v.InferOutput<typeof callKind>;

/** The reason why a user may not be called. */
const callRefusal = v.picklist([
  /** The coins do not pay one minute. */
  'insufficient_coins',
  /** The woman does not accept calls of this kind. */
  'not_accepted',
  /** The user cannot be called. */
  'unavailable',
]);

/**
 * Whether a call is possible, and its price. `rate` is coins a minute, 0 for a free call. `max_minutes` is how long the
 * coins last, null without a limit. A man pays for his own dials and for hers. A woman pays nothing: her `rate` is what
 * the man pays. Her `points` are what a minute earns her, in hundredths of a point. The rate is there also when she
 * accepts no such calls, since she may dial.
 */
export const quote = v.object({
  allowed: v.boolean(),
  reason: v.nullable(callRefusal),
  rate: v.number(),
  max_minutes: v.nullable(v.number()),
  coins: v.nullable(v.number()),
  points: v.nullable(v.number()),
});
export type Quote = v.InferOutput<typeof quote>;

/** The ratings of a call. More stars are better. */
export const STARS = [1, 2, 3, 4, 5] as const;
export const stars = v.picklist(STARS);
export type Stars = v.InferOutput<typeof stars>;

export const callEndpoints = endpoints({
  quoteCall: {
    method: 'POST',
    path: '/calls/quote',
    access: 'user',
    about: 'Returns whether a user can be called, and the price.',
    body: v.strictObject({ callee: userId, kind: callKind }),
    answer: quote,
  },
  rateCall: {
    method: 'PUT',
    path: '/calls/{call_id}/rating',
    access: 'user',
    about: 'Rates a call that connected and that the user took part in. A second rating replaces the first.',
    body: v.strictObject({ stars }),
    answer: done,
  },
});
