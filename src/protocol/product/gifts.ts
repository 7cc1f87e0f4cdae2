/** Gifts from men to women, paid with coins. */
import * as v from 'valibot';
import { endpoints } from '../endpoint.ts';
import { userId } from './values.ts';

/** The most pieces of one gift in one request. */
export const GIFT_COUNT = 99;

/** `name` is the text in push messages. The app has its own text for each id. `coins` is the price of one piece. */
export const gift = v.object({ gift_id: v.string(), name: v.string(), coins: v.number() });
export type Gift = v.InferOutput<typeof gift>;

export const giftEndpoints = endpoints({
  gifts: {
    method: 'GET',
    path: '/gifts',
    access: 'user',
    about: 'Lists the gifts, the cheapest first.',
    answer: v.object({ gifts: v.array(gift) }),
  },
  sendGift: {
    method: 'POST',
    path: '/gifts/send',
    access: 'man',
    about: 'Gives a woman a number of a gift. The server sets the price.',
    body: v.strictObject({
      to: userId,
      gift_id: v.pipe(v.string(), v.maxLength(64)),
      count: v.pipe(v.number(), v.safeInteger(), v.minValue(1), v.maxValue(GIFT_COUNT)),
    }),
    /** `coins` is the price together, `coins_left` the coins that the user can still spend. */
    answer: v.object({ gift_id: v.string(), count: v.number(), coins: v.number(), coins_left: v.number() }),
    isIdempotent: true,
  },
});
