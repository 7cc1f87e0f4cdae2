/** Gifts: what men give women, for coins. */
import * as v from 'valibot';
import { endpoints } from './endpoint.ts';
import { userId } from './values.ts';

/** The most of one gift that are given at once. */
export const GIFT_COUNT = 99;

/** `name` as messages to those who are away say it; the app has words of its own for each id. `coins` is what one costs. */
export const gift = v.object({ gift_id: v.string(), name: v.string(), coins: v.number() });
export type Gift = v.InferOutput<typeof gift>;

export const giftEndpoints = endpoints({
  gifts: {
    method: 'GET',
    path: '/gifts',
    access: 'user',
    about: 'What may be given, the cheapest first.',
    answer: v.object({ gifts: v.array(gift) }),
  },
  sendGift: {
    method: 'POST',
    path: '/gifts/send',
    access: 'man',
    about: 'Gives a woman so many of a gift. What it costs is the server’s to say.',
    body: v.strictObject({
      to: userId,
      gift_id: v.pipe(v.string(), v.maxLength(64)),
      count: v.pipe(v.number(), v.safeInteger(), v.minValue(1), v.maxValue(GIFT_COUNT)),
    }),
    /** `coins` is what it cost together, `coins_left` what may still be spent. */
    answer: v.object({ gift_id: v.string(), count: v.number(), coins: v.number(), coins_left: v.number() }),
    isIdempotent: true,
  },
});
