import { createArea } from '../../core/hooks/create-area.ts';
import type { CallingService } from '../calling/calling-service.ts';
import type { ActiveCall } from '../../../react/index.ts';
import { displayName } from '../calling/call-state.ts';
import type { Dialogs } from '../../../ui/dialogs/dialogs.ts';
import { m } from '../../core/i18n/generated/messages.js';
import { safeImageUrl } from '../../ui/people/safe-image-url.ts';
import type { Clock } from '../../../common/clock.ts';
import type { Logger } from '../../core/ports/ports.ts';
import type { CookieJar } from '../../core/preferences/cookie-jar.ts';
import type { ReadableStore } from '../../../common/store.ts';
import type { Toasts } from '../../../ui/toasts/toasts.ts';
import { createAppWorker } from './app-worker.ts';
import { type SetBadge, createBadge } from './badge.ts';
import { showCallInMediaSession } from './call-media-session.ts';
import { keepScreenOn } from './call-wake-lock.ts';
import { type Install, createInstall } from './install.ts';
import type { PwaHost } from './pwa-host.ts';
import { offerUpdates, updateQuestion } from './update-offer.ts';

/**
 * The features of an installed app: offline use, installation, updates, and the badge and controls outside the page.
 */
export interface Pwa {
  readonly install: Install;
  readonly setBadge: SetBadge;
  start(): void;
  dispose(): void;
}

interface Dependencies {
  host: PwaHost;
  /** The address of the service worker. `null` without one, as during development. */
  workerUrl: string | null;
  calling: Pick<CallingService, 'state' | 'stay' | 'end' | 'toggleMicrophone' | 'toggleCamera'>;
  dialogs: Dialogs;
  toasts: Pick<Toasts, 'show'>;
  cookies: CookieJar;
  locale: ReadableStore<unknown>;
  imageBase: string;
  clock: Clock;
  logger: Logger;
}

/** Creates the features of an installed app from those of the browser. */
export function createPwa(everything: Dependencies): Pwa {
  const { host, workerUrl, calling, dialogs, toasts, imageBase, ...outside } = everything;
  const install = createInstall({ ...outside, ...host });
  const undo: (() => void)[] = [install.dispose];

  function startWorker(url: string): void {
    if (host.workers === null) return;
    const worker = createAppWorker({ ...outside, container: host.workers, url, reload: host.reload });
    undo.push(
      worker.offlineReady.subscribe(() => toasts.show(m.pwa_offline_ready())),
      offerUpdates({
        ...outside,
        worker,
        calls: calling.state,
        stay: calling.stay,
        confirm: (signal) => dialogs.confirm(updateQuestion(), signal),
      }),
      worker.dispose,
    );
    worker.start();
  }

  /** Records a connected call as a reason to install. The chat records the other reason, a first reply. */
  function noteCall(): void {
    if (calling.state.get().active?.stage.name === 'connected') install.noteValue();
  }

  function describe(call: ActiveCall): MediaMetadata {
    return host.callMetadata({
      title: displayName(call.party),
      artist: call.kind === 'video' ? m.pwa_media_video() : m.pwa_media_voice(),
      picture: safeImageUrl(call.party.profileUrl, imageBase),
    });
  }

  return {
    install,
    setBadge: createBadge(host.badge, outside.logger),
    start() {
      if (workerUrl !== null) startWorker(workerUrl);
      undo.push(calling.state.subscribe(noteCall));
      if (host.wakeLock !== null) {
        undo.push(
          keepScreenOn({
            ...outside,
            calls: calling.state,
            stay: calling.stay,
            wakeLock: host.wakeLock,
            page: host.page,
          }),
        );
      }
      if (host.mediaSession !== null) {
        undo.push(showCallInMediaSession({ ...outside, calling, session: host.mediaSession, describe }));
      }
    },
    dispose() {
      for (const stop of undo.splice(0)) stop();
    },
  };
}

export const [PwaProvider, usePwa] = createArea<Pwa>('pwa');
