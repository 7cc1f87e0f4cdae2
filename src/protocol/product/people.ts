/** The other users, and whether they are there. */
import * as v from 'valibot';
import { endpoints } from './endpoint.ts';
import { gift } from './gifts.ts';
import { done, genderType, pageOf, pageQuery, presence, time, userId } from './values.ts';

const personFields = {
  u_id: v.string(),
  nickname: v.string(),
  profile_url: v.string(),
  gender_type: genderType,
  age: v.number(),
  city: v.string(),
  price: v.number(),
  verified: v.boolean(),
  accepts_video: v.boolean(),
  joined_at: time,
  presence,
  last_seen_at: v.nullable(time),
};

/** One person as lists show them. `price` is that of a video call, in coins a minute, and 0 of a man; times in milliseconds since the epoch. */
export const person = v.object(personFields);
export type Person = v.InferOutput<typeof person>;

/** A picture of a profile, as others see it. */
const shownPhoto = v.object({ media_id: v.string(), url: v.string(), small: v.string() });

/** Coins a minute. */
export const prices = v.object({ voice: v.number(), video: v.number() });

/** How many of a gift somebody was given, by whomever. `name` as in `gift`. */
const givenGift = v.object({ ...v.pick(gift, ['gift_id', 'name']).entries, count: v.number() });
export type GivenGift = v.InferOutput<typeof givenGift>;

/** All that others are shown of somebody. What they take of calls is what they take now: quiet hours and rest count. */
export const personDetail = v.object({
  ...personFields,
  intro: v.string(),
  height: v.nullable(v.number()),
  job: v.string(),
  languages: v.array(v.string()),
  tags: v.array(v.string()),
  photos: v.array(shownPhoto),
  voice_intro: v.nullable(v.string()),
  prices,
  accepts_voice: v.boolean(),
  /** Of women: what there is most of first, at most eight kinds. */
  gifts: v.array(givenGift),
  /** Of women: percent of the calls and chats of thirty days that were answered; null where there were fewer than ten. */
  response_rate: v.nullable(v.number()),
  favorite: v.boolean(),
  /** The one who asks is told when they come online. */
  watched: v.boolean(),
});
export type PersonDetail = v.InferOutput<typeof personDetail>;

const years = v.pipe(v.string(), v.digits(), v.transform(Number), v.minValue(18), v.maxValue(99));
const yes = v.picklist(['yes']);

/** Each narrows; together they narrow further. `near` is the city of the one who asks, `new` the last seven days, `favorite` whom they like. */
export const discoverQuery = v.strictObject({
  ...pageQuery,
  online: v.optional(yes),
  new: v.optional(yes),
  near: v.optional(yes),
  video: v.optional(yes),
  verified: v.optional(yes),
  favorite: v.optional(yes),
  age_from: v.optional(years),
  age_to: v.optional(years),
  city: v.optional(v.pipe(v.string(), v.maxLength(20))),
  price_to: v.optional(v.pipe(v.string(), v.digits(), v.transform(Number), v.maxValue(1_000))),
  language: v.optional(v.pipe(v.string(), v.regex(/^[a-z]{2,3}$/))),
});

export const peopleEndpoints = endpoints({
  discover: {
    method: 'GET',
    path: '/users/discover',
    access: 'user',
    about:
      'Lists women for men and men for women: online users first, then the newest. Blocked users are left out, in both directions.',
    query: discoverQuery,
    answer: pageOf(person),
  },
  person: {
    method: 'GET',
    path: '/users/{u_id}',
    access: 'user',
    about:
      'Returns a user, or the own profile as others see it. Unknown, blocked and suspended users, and those of the same kind, are not found.',
    answer: personDetail,
  },
  favorites: {
    method: 'GET',
    path: '/favorites',
    access: 'user',
    about: 'Lists the users that the user likes, the latest first.',
    query: v.strictObject(pageQuery),
    answer: pageOf(person),
  },
  addFavorite: {
    method: 'POST',
    path: '/favorites',
    access: 'user',
    about: 'Likes a user, without a notification.',
    body: v.strictObject({ u_id: userId }),
    answer: done,
  },
  removeFavorite: {
    method: 'DELETE',
    path: '/favorites/{u_id}',
    access: 'user',
    about: 'Removes the like of a user.',
    answer: done,
  },
  notifyWhenOnline: {
    method: 'POST',
    path: '/users/{u_id}/notify-when-online',
    access: 'user',
    about: 'Notifies the sender once when an absent or busy user is available again.',
    answer: done,
  },
});
