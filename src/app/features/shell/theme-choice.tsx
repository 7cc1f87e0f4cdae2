import { m } from '../../core/i18n/generated/messages.js';
import { Segments } from '../../../ui/kit/segments.tsx';
import { themes } from '../../core/preferences/theme.ts';
import { usePreferences } from '../../core/hooks/areas.ts';
import { useStore } from '../../../ui/store/use-store.ts';

const names = { system: m.theme_system, dark: m.theme_dark, light: m.theme_light };

/** Selects the theme of the app. */
export function ThemeChoice() {
  const { theme } = usePreferences();
  const present = useStore(theme.theme);
  return (
    <Segments
      label={m.me_theme()}
      options={themes.map((value) => ({ value, text: names[value]() }))}
      value={present}
      onChange={theme.choose}
    />
  );
}
