/** What calls cost. */
import * as v from 'valibot';
import { endpoints } from './endpoint.ts';
import { done, userId } from './values.ts';

export const callKind = v.picklist(['voice', 'video']);
export type CallKind = v.InferOutput<typeof callKind>;

/** Why somebody may not be called. */
const callRefusal = v.picklist([
  /** There is less than one minute’s worth of coins. */
  'insufficient_coins',
  /** She does not take calls of this kind. */
  'not_accepted',
  /** There is nobody to be called. */
  'unavailable',
]);

/**
 * Whether a call may be made, and what it costs: `rate` in coins a minute, 0 where it is free; `max_minutes` is for how long
 * the coins last, null where they need not. A woman pays nothing, and is told the rate of whom she calls pays her, and in `points`
 * what a minute of it brings her, in hundredths of a point. Whoever pays does so whoever dialled: the rate is told also where she
 * takes no such calls, since she may make them.
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

/** How a call was: the more the better. */
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
    about: 'Says how a call was that one took part in and that came about. Said again, it is the new word that counts.',
    body: v.strictObject({ stars }),
    answer: done,
  },
});
