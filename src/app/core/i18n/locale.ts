import type { CookieJar } from '../preferences/cookie-jar.ts';
import { type ReadableStore, createStore } from '../store/store.ts';
import { type Locale, baseLocale, isLocale, overwriteGetLocale } from './generated/runtime.js';

export type { Locale };

export interface LocalePreference {
  readonly locale: ReadableStore<Locale>;
  choose(locale: Locale): void;
}

/** What keeps the choice; the service worker reads it too. */
export const LOCALE_COOKIE = 'ringback_locale';

/** What `<html lang>` says: the script of the messages, and for Chinese also whose words they are. */
export const htmlLang: Record<Locale, string> = { 'zh-Hant': 'zh-Hant-TW', en: 'en' };

/** The language of the page. */
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

/** The language that was chosen here before, else the first of the browser's that there is. */
export function preferredLocale(stored: string | null | undefined, languages: readonly string[]): Locale {
  if (isLocale(stored)) return stored;
  for (const language of languages) {
    // Simplified Chinese is nearer to Traditional Chinese than to anything else there is.
    if (/^zh\b/i.test(language)) return 'zh-Hant';
    if (/^en\b/i.test(language)) return 'en';
  }
  return baseLocale;
}
