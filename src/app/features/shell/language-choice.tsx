import { m } from '../../core/i18n/generated/messages.js';
import { type Locale, htmlLang } from '../../core/i18n/locale.ts';
import { Segments } from '../../../ui/kit/segments.tsx';
import { usePreferences } from '../../core/hooks/areas.ts';
import { useStore } from '../../../ui/store/use-store.ts';

/** Each language has its own name for itself, whatever the language of the app. */
const languages: readonly { value: Locale; text: string; lang: string }[] = [
  { value: 'zh-Hant', text: m.language_name({}, { locale: 'zh-Hant' }), lang: htmlLang['zh-Hant'] },
  { value: 'en', text: m.language_name({}, { locale: 'en' }), lang: htmlLang.en },
];

/** Selects the language of the app. */
export function LanguageChoice({ showLabel = true }: { showLabel?: boolean }) {
  const { locale } = usePreferences();
  const present = useStore(locale.locale);
  return (
    <Segments
      label={m.me_language()}
      showLabel={showLabel}
      options={languages}
      value={present}
      onChange={locale.choose}
    />
  );
}
