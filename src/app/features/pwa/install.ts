import type { Logger } from '../../core/ports/ports.ts';
import type { CookieJar } from '../../core/preferences/cookie-jar.ts';
import { type ReadableStore, createStore } from '../../../common/store.ts';

/** Chromium's event that offers the installation. The page keeps it until the user wants to install. */
export interface InstallPromptEvent extends Event {
  prompt(): Promise<unknown>;
}

/** The method of installation: the browser's question, by hand on iOS, or none. None also after the installation. */
export type InstallWay = 'prompt' | 'by-hand' | 'none';

/** The installation of the app, as the page controls it. */
export interface Install {
  /** The available method, for users who look for it. */
  readonly way: ReadableStore<InstallWay>;
  /** The method after the app has proved useful. `none` before, so that the app does not ask new users. */
  readonly offer: ReadableStore<InstallWay>;
  /** Records that the app has proved useful: the user has sent a reply or had a call. */
  noteValue(): void;
  /** Asks the browser's question. Each offer of the browser can be used once. */
  prompt(): Promise<void>;
  dispose(): void;
}

interface Dependencies {
  /** The target of the browser's installation events: the window. */
  events: Pick<EventTarget, 'addEventListener' | 'removeEventListener'>;
  /** True on an iPhone or iPad, where the share sheet installs. */
  isIos: boolean;
  /** True when the app runs in a separate window, without the controls of a browser. */
  isStandalone: boolean;
  cookies: CookieJar;
  logger: Logger;
}

/** Stored on the device and not in the session: a user who signs out has still found the app useful. */
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
    // Prevents the browser from asking at a time of its choice.
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
      // An offer can be used once. The browser sends another one later.
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
