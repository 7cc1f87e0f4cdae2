import { useCallback, useLayoutEffect, useState } from 'react';
import { htmlLang } from '../i18n/locale.ts';
import { m } from '../i18n/generated/messages.js';
import { LayersProvider } from '../layers/layers-context.ts';
import { CallOverlays } from '../overlays/call-overlays.tsx';
import { useServices } from '../services/services-context.ts';
import { useStore } from '../store/use-store.ts';
import { Screens } from './screens.tsx';

/** The floors of the page: the screens, the sheets above them, and the calls above everything (app-shell §2). */
export function App() {
  const { locale, theme, calling } = useServices();
  const presentLocale = useStore(locale.locale);
  const presentTheme = useStore(theme.theme);
  const inCall = useStore(calling.state).active !== null;
  const [sheetHost, setSheetHost] = useState<HTMLElement | null>(null);
  const [openSheets, setOpenSheets] = useState(0);
  const enterSheet = useCallback(() => {
    setOpenSheets((count) => count + 1);
    return () => setOpenSheets((count) => count - 1);
  }, []);

  useLayoutEffect(() => {
    document.documentElement.lang = htmlLang[presentLocale];
    document.title = m.app_title();
  }, [presentLocale]);

  useLayoutEffect(() => {
    document.documentElement.dataset['theme'] = presentTheme;
  }, [presentTheme]);

  return (
    <LayersProvider value={{ sheetHost, enterSheet }}>
      <div inert={inCall || openSheets > 0}>
        <Screens />
      </div>
      <div ref={setSheetHost} inert={inCall} />
      <CallOverlays />
    </LayersProvider>
  );
}
