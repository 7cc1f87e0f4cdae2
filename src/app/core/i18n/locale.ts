import type { CookieJar } from '../preferences/cookie-jar.ts';
import { type ReadableStore, createStore } from '../../../common/store.ts';
import { type Locale, baseLocale, isLocale, overwriteGetLocale } from './generated/runtime.js';

export type { Locale };

/** The setting of the language. */
export interface LocalePreference {
  readonly locale: ReadableStore<Locale>;
  choose(locale: Locale): void;
}

/** The name of the cookie that keeps the chosen language. The service worker reads it too. */
export const LOCALE_COOKIE = 'ringback_locale';

/** The value of `<html lang>` for each language. For Chinese it names the script and the region. */
export const htmlLang: Record<Locale, string> = { 'zh-Hant': 'zh-Hant-TW', en: 'en' };

/** Creates the language setting of the page, and sets the language of all messages. */
export function createLocalePreference(jar: CookieJar, browserLanguages: readonly string[]): LocalePreference {
  const locale = createStore<Locale>(preferredLocale(jar.read(LOCALE_COOKIE), browserLanguages));
  overwriteGetLocale(locale.get);
  return {
    locale,
    choose(chosen) {
      jar.write(LOCALE_COOKIE, chosen);
      locale.set(chosen);
    },
  };
}

/** Returns the stored language, or else the first supported language of the browser. */
export function preferredLocale(stored: string | null | undefined, languages: readonly string[]): Locale {
  if (isLocale(stored)) return stored;
  for (const language of languages) {
    // A reader of Simplified Chinese reads Traditional Chinese more easily than the other languages.
    if (/^zh\b/i.test(language)) return 'zh-Hant';
    if (/^en\b/i.test(language)) return 'en';
  }
  return baseLocale;
}
