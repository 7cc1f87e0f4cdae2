import { getLocale } from '../../core/i18n/generated/runtime.js';

/** A language by its own code, in the language that the app speaks. */
export function languageName(code: string): string {
  return new Intl.DisplayNames([getLocale()], { type: 'language' }).of(code) ?? code;
}
