/**
 * Push by Firebase Cloud Messaging, for deployments that have it: its module is no part of this app. Whoever wants it
 * serves one that brings what `FcmModule` names, and says where in the settings (docs/push.md).
 */
import { PushError, type PushErrorName } from './push-error.ts';
import type { PushProvider } from './push-provider.ts';

/** The part of `firebase/app` and `firebase/messaging` that is used. */
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
        if (token === '') throw new PushError('no-token', 'the push service gave none');
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
        // Without the module there are no messages either; getToken says why.
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

/** Its errors have codes like `messaging/unsupported-browser`. */
function named(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code).replace(/^messaging\//, '') : '';
  const name = NAMES.find((known) => known === code);
  return name === undefined ? error : new PushError(name, 'the push library says so', { cause: error });
}
