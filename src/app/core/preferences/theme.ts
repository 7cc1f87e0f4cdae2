import * as v from 'valibot';
import { type ReadableStore, createStore } from '../../../common/store.ts';
import type { CookieJar } from './cookie-jar.ts';

export const themes = ['system', 'dark', 'light'] as const;
export type Theme = (typeof themes)[number];

/** The setting of the theme. */
export interface ThemePreference {
  readonly theme: ReadableStore<Theme>;
  choose(theme: Theme): void;
}

const COOKIE = 'ringback_theme';

/** Creates the setting from its cookie. Default: the theme of the system. */
export function createThemePreference(jar: CookieJar): ThemePreference {
  const stored = v.safeParse(v.picklist(themes), jar.read(COOKIE));
  const theme = createStore<Theme>(stored.success ? stored.output : 'system');
  return {
    theme,
    choose(chosen) {
      jar.write(COOKIE, chosen);
      theme.set(chosen);
    },
  };
}
