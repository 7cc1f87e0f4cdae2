/** The limits of a profile, for forms and for requests. */

export const INTRO_CHARACTERS = 300;
export const NICKNAME_CHARACTERS = 20;
export const CITY_CHARACTERS = 20;
export const MOST_TAGS = 8;
export const MOST_PHOTOS = 9;
/** The longest voice introduction, seconds. */
export const VOICE_INTRO_SECONDS = 15;
/** The prices of calls, coins a minute, in steps of 10. */
export const PRICES = { step: 10, voice: { least: 10, most: 60 }, video: { least: 20, most: 120 } } as const;

export const LANGUAGES = ['zh', 'nan', 'en', 'ja', 'ko', 'vi', 'id', 'th'] as const;
