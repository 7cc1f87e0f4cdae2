/** The other users, and their presence. */
import * as v from 'valibot';
import { endpoints } from '../endpoint.ts';
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

/**
 * A user in a list. `price` is that of a video call, in coins a minute, and 0 for a man. Times are milliseconds since
 * the epoch.
 */
export const person = v.object(personFields);
export type Person = v.InferOutput<typeof person>;

/** A picture of a profile, as others see it. */
const shownPhoto = v.object({ media_id: v.string(), url: v.string(), small: v.string() });

/** The prices of a woman's calls, coins a minute. */
export const prices = v.object({ voice: v.number(), video: v.number() });

/** How many pieces of a gift a user received from all users together. `name` as in `gift`. */
const givenGift = v.object({ ...v.pick(gift, ['gift_id', 'name']).entries, count: v.number() });
export type GivenGift = v.InferOutput<typeof givenGift>;

/** The profile of a user as others see it. The accepted calls are those of this moment: quiet hours and rest count. */
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
  /** For women: at most eight kinds of gifts, the most frequent first. */
  gifts: v.array(givenGift),
  /**
   * For women: the percentage of calls and chats of thirty days that were answered. Null when there were fewer than
   * ten.
   */
  response_rate: v.nullable(v.number()),
  favorite: v.boolean(),
  /** True when the server notifies the requesting user when this user comes online. */
  watched: v.boolean(),
});
export type PersonDetail = v.InferOutput<typeof personDetail>;

const years = v.pipe(v.string(), v.digits(), v.transform(Number), v.minValue(18), v.maxValue(99));
const yes = v.picklist(['yes']);

/**
 * The filters of a search. All of them hold together. `near`: the city of the requesting user. `new`: the last seven
 * days. `favorite`: the favourites of the requesting user.
 */
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
      'Returns the profile of a user, also of the requesting user, as others see it. Unknown, blocked and suspended users, and those of the same kind, are not found.',
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
