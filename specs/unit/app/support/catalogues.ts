import { readFileSync, readdirSync } from 'node:fs';

type Language = 'zh-Hant' | 'en';

const folder = (language: Language): URL =>
  new URL(`../../../../src/app/core/i18n/messages/${language}/`, import.meta.url);

/** The message areas of a language, in alphabetical order. */
export const catalogueAreas = (language: Language): string[] =>
  readdirSync(folder(language))
    .map((file) => file.replace(/\.json$/, ''))
    .toSorted();

export const readCatalogue = (language: Language, area: string): Record<string, unknown> =>
  JSON.parse(readFileSync(new URL(`${area}.json`, folder(language)), 'utf8'));
