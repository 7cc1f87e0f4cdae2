import { type ReactNode, Suspense, lazy, useCallback, useLayoutEffect, useState } from 'react';
import { DialogHost } from '../../../ui/dialogs/dialog-host.tsx';
import { m } from '../../core/i18n/generated/messages.js';
import { htmlLang } from '../../core/i18n/locale.ts';
import { LayersProvider } from '../../../ui/layers/layers-context.ts';
import { useKeptFocus } from '../../../ui/layers/use-kept-focus.ts';
import { usePush } from '../../features/push/push.ts';
import { usePreferences, useSession } from '../../core/hooks/areas.ts';
import { useCalls } from '../../../react/index.ts';
import { useCalling } from '../../features/calling/use-calling.ts';
import { useUi } from '../../ui/use-ui.ts';
import { useStore, useStoreInSlices } from '../../../ui/store/use-store.ts';
import { ToastHost } from '../../../ui/toasts/toast-host.tsx';
import { loadScreen } from '../../features/shell/load-screen.ts';
import { ReplacedNotice } from './replaced-notice.tsx';
import { ScreenErrorBoundary } from './screen-error-boundary.tsx';
import { Screens, knownPaths } from './screens.tsx';

/**
 * A visitor receives no calls. So the first screen loads without this code, which is fetched when a user is signed in.
 */
const CallOverlays = lazy(() =>
  loadScreen(async () => ({
    default: (await import('../../features/calling/overlays/call-overlays.tsx')).CallOverlays,
  })),
);

/** The app asks a user at most once in two weeks. Without a network it asks another time. */
const PushOfferSheet = lazy(() =>
  import('../../features/push/push-offer-sheet.tsx').then(
    ({ PushOfferSheet: Sheet }) => ({ default: Sheet }),
    () => ({ default: () => null }),
  ),
);

/**
 * Renders the layers of the page: the screens, the sheets above them, and the calls above everything (app-shell §2).
 */
export function App({ screens = <Screens /> }: { screens?: ReactNode }) {
  const { locale, theme } = usePreferences();
  const { user, session } = useSession();
  const { callDock } = useCalling();
  const { appDialogs, toasts } = useUi();
  const isPushOffered = useStore(usePush().offer.isOpen);
  const presentLocale = useStoreInSlices(locale.locale);
  const presentTheme = useStoreInSlices(theme.theme);
  const { uId } = useStore(user.user);
  const replacedBy = useStore(session.replacedBy);
  const { active } = useCalls();
  const dockedKey = useStore(callDock.state).key;
  const inCall = active !== null && active.key !== dockedKey;
  const [sheetHost, setSheetHost] = useState<HTMLElement | null>(null);
  const [openSheets, setOpenSheets] = useState(0);
  const enterSheet = useCallback(() => {
    setOpenSheets((count) => count + 1);
    return () => setOpenSheets((count) => count - 1);
  }, []);

  useKeptFocus();

  useLayoutEffect(() => {
    document.documentElement.lang = htmlLang[presentLocale];
  }, [presentLocale]);

  useLayoutEffect(() => {
    document.documentElement.dataset['theme'] = presentTheme;
  }, [presentTheme]);

  return (
    <LayersProvider value={{ sheetHost, enterSheet }}>
      <div inert={inCall || openSheets > 0}>{replacedBy === null ? screens : <ReplacedNotice user={replacedBy} />}</div>
      <div ref={setSheetHost} inert={inCall} />
      {uId !== null && (
        <ScreenErrorBoundary framed>
          <Suspense fallback={null}>
            <CallOverlays canChat={knownPaths.has('/man-chat-list/:channelUrl')} />
          </Suspense>
        </ScreenErrorBoundary>
      )}
      {isPushOffered && (
        <Suspense fallback={null}>
          <PushOfferSheet />
        </Suspense>
      )}
      <ToastHost toasts={toasts} dismissLabel={m.dismiss()} />
      <DialogHost
        dialogs={appDialogs}
        okLabel={m.dialog_ok()}
        confirmLabel={m.dialog_confirm()}
        cancelLabel={m.dialog_cancel()}
      />
    </LayersProvider>
  );
}
