import { getLocale } from '../../core/i18n/generated/runtime.js';

/** Returns the name of a language in the language of the app. */
export function languageName(code: string): string {
  return new Intl.DisplayNames([getLocale()], { type: 'language' }).of(code) ?? code;
}
