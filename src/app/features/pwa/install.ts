import type { Logger } from '../../core/ports/logger.ts';
import type { CookieJar } from '../../core/preferences/cookie-jar.ts';
import { type ReadableStore, createStore } from '../../core/store/store.ts';

/** Chromium's offer to install, which the page keeps until somebody asks for it. */
export interface InstallPromptEvent extends Event {
  prompt(): Promise<unknown>;
}

/** How the app can be installed here: by the browser's own question, by hand on iOS, or not (or it is already). */
export type InstallWay = 'prompt' | 'by-hand' | 'none';

export interface Install {
  /** What can be done about it, for whoever looks for it. */
  readonly way: ReadableStore<InstallWay>;
  /** The same from the moment in which the app has been of use; before it, `none`: nobody is asked at first sight. */
  readonly offer: ReadableStore<InstallWay>;
  /** The app has been of use: a reply was sent, a call was had. */
  noteValue(): void;
  /** Asks the browser's question, once. */
  prompt(): Promise<void>;
  dispose(): void;
}

interface Dependencies {
  /** Where the browser tells of installing: the window. */
  events: Pick<EventTarget, 'addEventListener' | 'removeEventListener'>;
  /** An iPhone or iPad, where the share sheet installs. */
  isIos: boolean;
  /** The app runs by itself, without a browser around it. */
  isStandalone: boolean;
  cookies: CookieJar;
  logger: Logger;
}

/** On the device, not in the session: whoever signs out has still found the app useful. */
const VALUE_COOKIE = 'ringback_value';

export function createInstall({ events, isIos, isStandalone, cookies, logger }: Dependencies): Install {
  const way = createStore<InstallWay>('none');
  const offer = createStore<InstallWay>('none');
  let kept: InstallPromptEvent | undefined;
  let isInstalled = isStandalone;
  let hasValue = cookies.read(VALUE_COOKIE) !== null;

  function review(): void {
    if (isInstalled) way.set('none');
    else if (kept !== undefined) way.set('prompt');
    else way.set(isIos ? 'by-hand' : 'none');
    offer.set(hasValue ? way.get() : 'none');
  }

  function onOffer(event: Event): void {
    // Otherwise the browser asks at a moment of its own.
    event.preventDefault();
    kept = event as InstallPromptEvent;
    review();
  }

  function onInstalled(): void {
    isInstalled = true;
    kept = undefined;
    review();
  }

  events.addEventListener('beforeinstallprompt', onOffer);
  events.addEventListener('appinstalled', onInstalled);
  review();

  return {
    way,
    offer,
    noteValue() {
      if (hasValue) return;
      hasValue = true;
      cookies.write(VALUE_COOKIE, '1');
      review();
    },
    async prompt() {
      const asked = kept;
      // An offer can be asked for once; the browser makes another one when it sees fit.
      kept = undefined;
      review();
      try {
        await asked?.prompt();
      } catch (error) {
        logger.warn('the app was not installed', error);
      }
    },
    dispose() {
      events.removeEventListener('beforeinstallprompt', onOffer);
      events.removeEventListener('appinstalled', onInstalled);
    },
  };
}
