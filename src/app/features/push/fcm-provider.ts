/**
 * Push by Firebase Cloud Messaging, for deployments that use it. The app does not contain its library. The deployment
 * serves a module with the names of `FcmModule`, and sets its address in the configuration (docs/push.md).
 */
import { PushError, type PushErrorName, type PushProvider } from './push-provider.ts';

/** The part of `firebase/app` and `firebase/messaging` that the app uses. */
export interface FcmModule {
  initializeApp(options: Readonly<Record<string, string>>): unknown;
  getMessaging(app: unknown): unknown;
  isSupported(): Promise<boolean>;
  getToken(
    messaging: unknown,
    options: { vapidKey: string; serviceWorkerRegistration: ServiceWorkerRegistration },
  ): Promise<string>;
  onMessage(messaging: unknown, listener: (message: { readonly data?: unknown }) => void): () => void;
  deleteToken(messaging: unknown): Promise<boolean>;
}

interface Dependencies {
  load(): Promise<FcmModule>;
  options: Readonly<Record<string, string>>;
}

const NAMES: readonly PushErrorName[] = ['unsupported-browser', 'indexed-db-unsupported', 'only-available-in-window'];

/** Creates the provider. The module is loaded when it is first needed. */
export function createFcmProvider({ load, options }: Dependencies): PushProvider {
  let started: Promise<{ module: FcmModule; messaging: unknown }> | undefined;

  function messaging(): NonNullable<typeof started> {
    started ??= load().then((module) => ({ module, messaging: module.getMessaging(module.initializeApp(options)) }));
    return started;
  }

  return {
    isSupported: async () => await (await load()).isSupported(),
    async getToken({ vapidKey, registration }) {
      try {
        const fcm = await messaging();
        const token = await fcm.module.getToken(fcm.messaging, { vapidKey, serviceWorkerRegistration: registration });
        if (token === '') throw new PushError('no-token', 'the push service gave no token');
        return token;
      } catch (error) {
        throw named(error);
      }
    },
    onForeground(listener) {
      let undo: (() => void) | undefined;
      let isOver = false;
      void messaging()
        .then((fcm) => {
          if (!isOver) undo = fcm.module.onMessage(fcm.messaging, ({ data }) => listener(data));
        })
        // Without the module no messages arrive. `getToken` reports the error.
        .catch(() => undefined);
      return () => {
        isOver = true;
        undo?.();
      };
    },
    async deleteToken() {
      if (started === undefined) return;
      const fcm = await started;
      await fcm.module.deleteToken(fcm.messaging);
    },
  };
}

/** Converts an error of the library, with a code such as `messaging/unsupported-browser`, to a PushError. */
function named(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code).replace(/^messaging\//, '') : '';
  const name = NAMES.find((known) => known === code);
  return name === undefined ? error : new PushError(name, 'the push library failed', { cause: error });
}
