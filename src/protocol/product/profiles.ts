/** The user's own profile, call settings and day. */
import * as v from 'valibot';
import { endpoints } from '../endpoint.ts';
import { media } from './media.ts';
import { prices } from './people.ts';
import {
  CITY_CHARACTERS,
  INTRO_CHARACTERS,
  LANGUAGES,
  MOST_PHOTOS,
  MOST_TAGS,
  NICKNAME_CHARACTERS,
  PRICES,
} from './profile-limits.ts';
import { genderType, time } from './values.ts';

/** The time without calls, in minutes of the day in Taipei, 0 to 1439. A start after the end means over midnight. */
const quietHours = v.strictObject({
  from: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(1_439)),
  to: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(1_439)),
});

/** The user's own profile, with the pictures that others do not see yet. */
export const profile = v.object({
  u_id: v.string(),
  gender_type: genderType,
  nickname: v.string(),
  /** The picture that others see. */
  profile_url: v.string(),
  /** A day: YYYY-MM-DD. */
  birthday: v.string(),
  birthday_locked: v.boolean(),
  age: v.number(),
  city: v.string(),
  intro: v.string(),
  height: v.nullable(v.number()),
  job: v.string(),
  languages: v.array(v.string()),
  tags: v.array(v.string()),
  /** The pictures. The first is the cover. */
  photos: v.array(media),
  voice_intro: v.nullable(media),
  verified: v.boolean(),
  joined_at: time,
});
export type Profile = v.InferOutput<typeof profile>;

/** Which calls the user accepts. */
export const settings = v.object({
  /** True when the user accepts no calls for now. */
  resting: v.boolean(),
  accepts_voice: v.boolean(),
  accepts_video: v.boolean(),
  prices,
  quiet_hours: v.nullable(quietHours),
});
export type Settings = v.InferOutput<typeof settings>;

const priceOf = (kind: 'voice' | 'video') =>
  v.pipe(
    v.number(),
    v.integer(),
    v.minValue(PRICES[kind].least),
    v.maxValue(PRICES[kind].most),
    v.multipleOf(PRICES.step),
  );
const line = (most: number) => v.pipe(v.string(), v.trim(), v.maxLength(most));

/** The changes of a profile. A missing field stays as it is. */
export const profileChange = v.strictObject({
  nickname: v.optional(v.pipe(line(NICKNAME_CHARACTERS), v.minLength(1))),
  birthday: v.optional(v.pipe(v.string(), v.isoDate())),
  city: v.optional(v.pipe(line(CITY_CHARACTERS), v.minLength(1))),
  intro: v.optional(line(INTRO_CHARACTERS)),
  height: v.optional(v.nullable(v.pipe(v.number(), v.integer(), v.minValue(120), v.maxValue(220)))),
  job: v.optional(line(20)),
  languages: v.optional(v.pipe(v.array(v.picklist(LANGUAGES)), v.maxLength(LANGUAGES.length))),
  tags: v.optional(v.pipe(v.array(v.pipe(line(12), v.minLength(1))), v.maxLength(MOST_TAGS))),
  /** The ids of pictures that were uploaded for the profile, the cover first. */
  photos: v.optional(v.pipe(v.array(v.pipe(v.string(), v.maxLength(64))), v.maxLength(MOST_PHOTOS))),
  voice_intro: v.optional(v.nullable(v.pipe(v.string(), v.maxLength(64)))),
});
export type ProfileChange = v.InferInput<typeof profileChange>;

export const settingsChange = v.strictObject({
  resting: v.optional(v.boolean()),
  accepts_voice: v.optional(v.boolean()),
  accepts_video: v.optional(v.boolean()),
  prices: v.optional(v.strictObject({ voice: priceOf('voice'), video: priceOf('video') })),
  quiet_hours: v.optional(v.nullable(quietHours)),
});

/** The current day in the calendar of Taipei. `seconds` is the duration of all calls. */
const today = v.object({
  calls: v.number(),
  seconds: v.number(),
  missed: v.number(),
  favorites: v.number(),
  /**
   * The mean rating of the calls of the last thirty days, 1 to 5. Null while few ratings would reveal their authors.
   */
  rating: v.nullable(v.number()),
});

export const profileEndpoints = endpoints({
  myProfile: {
    method: 'GET',
    path: '/me/profile',
    access: 'user',
    about: 'Returns the profile of the user.',
    answer: profile,
  },
  changeProfile: {
    method: 'PATCH',
    path: '/me/profile',
    access: 'user',
    about: 'Changes the profile of the user. A verified birthday cannot be changed.',
    body: profileChange,
    answer: profile,
  },
  mySettings: {
    method: 'GET',
    path: '/me/settings',
    access: 'woman',
    about: 'Returns which calls the woman accepts.',
    answer: settings,
  },
  changeSettings: {
    method: 'PATCH',
    path: '/me/settings',
    access: 'woman',
    about: 'Changes which calls the woman accepts.',
    body: settingsChange,
    answer: settings,
  },
  today: {
    method: 'GET',
    path: '/me/summary/today',
    access: 'user',
    about: 'Returns the calls, income and rating of the user today.',
    answer: today,
  },
  options: {
    method: 'GET',
    path: '/meta/options',
    access: 'anybody',
    about: 'Returns the choices for the fields of a profile.',
    answer: v.object({ cities: v.array(v.string()), languages: v.array(v.string()), tags: v.array(v.string()) }),
  },
});
