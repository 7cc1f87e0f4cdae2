import type { AppConfig } from '../../protocol/product/config.ts';
import type { ReadEvent } from '../core/events/event-client.ts';
import type { Ports } from '../core/ports/browser-ports.ts';
import type { CookieJar } from '../core/preferences/cookie-jar.ts';
import type { CallingLibrary } from '../../react/index.ts';
import type { FcmModule } from '../features/push/fcm-provider.ts';
import type { PwaHost } from '../features/pwa/pwa-host.ts';
import type { Dialogs } from '../../ui/dialogs/dialogs.ts';

/** The settings, the ports and the loaders of the services. */
export interface ServiceOptions {
  config: AppConfig;
  ports: Ports;
  cookies: CookieJar;
  browserLanguages: readonly string[];
  pageUrl: string;
  loadCallingLibrary(): Promise<CallingLibrary>;
  /** Loads the parser of live events. The page of a visitor does not need it. */
  loadEventReader(): Promise<ReadEvent>;
  /** The browser's functions for installed apps. */
  host: PwaHost;
  /** The address of the service worker. Null without one, as on the development server. */
  workerUrl: string | null;
  /** Loads the module that a deployment with Firebase names. */
  loadPushModule(url: string): Promise<FcmModule>;
  /** The dialogs to use. Default: the app's own. `windowDialogs(window)` uses the browser's. */
  dialogs?: Dialogs;
}
