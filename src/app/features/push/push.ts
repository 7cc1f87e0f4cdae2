import { createArea } from '../../core/hooks/create-area.ts';
import type { PushPayload } from '../../../protocol/product/push.ts';
import type { CallingService } from '../calling/calling-service.ts';
import type { Locale } from '../../core/i18n/locale.ts';
import type { Clock } from '../../../common/clock.ts';
import type { KeyValueStore } from '../../core/ports/key-value-store.ts';
import type { Logger } from '../../core/ports/ports.ts';
import type { CookieJar } from '../../core/preferences/cookie-jar.ts';
import type { PwaHost } from '../pwa/pwa-host.ts';
import type { Toasts } from '../../../ui/toasts/toasts.ts';
import { type PushOffer, createPushOffer } from './push-offer.ts';
import { readPushPayload } from './push-notification.ts';
import type { PushProvider } from './push-provider.ts';
import { createForegroundPush } from './foreground-push.ts';
import { createHeartbeats } from './heartbeats.ts';
import type { PushRegistrar } from './push-registration.ts';
import { type PushService, createPushService } from './push-service.ts';

/** Push messages, while the app is closed and while it is open. */
export interface Push extends PushService {
  readonly offer: PushOffer;
  /** Shows a message that arrived on the socket of the product's events. */
  receive(payload: PushPayload): void;
  dispose(): void;
}

interface Dependencies {
  host: PwaHost;
  provider: PushProvider;
  registrar: PushRegistrar;
  bearer(): string | null;
  userId(): string | null;
  calling: Pick<CallingService, 'state'>;
  locale(): Locale;
  toasts: Toasts;
  cookies: CookieJar;
  localStorage: KeyValueStore;
  clock: Clock;
  logger: Logger;
}

const AGENT = 'ringback-app';

/** Creates the push messages of the app from the features of the browser. */
export function createPush({ host, calling, localStorage, locale, toasts, ...outside }: Dependencies): Push {
  const { clock, logger } = outside;
  const service = createPushService({
    ...outside,
    storage: localStorage,
    host: () => ({
      userAgent: host.userAgent,
      hasServiceWorkers: host.workers !== null,
      permission: host.notifications.permission(),
    }),
    requestPermission: host.requestPermission,
    activeRegistration: host.activeRegistration,
    heartbeats: createHeartbeats({ agent: AGENT, storage: localStorage, clock }),
  });
  const offer = createPushOffer({ push: service, cookies: outside.cookies, clock });
  const receive = createForegroundPush({ host: host.notifications, locale, toast: toasts.show, logger });

  // A user who has missed a call understands the purpose of notifications.
  const unfollow = [
    calling.state.subscribe(() => {
      if (calling.state.get().missed !== null) offer.offer();
    }),
    outside.provider.onForeground((message) => {
      const payload = readPushPayload(JSON.stringify(message));
      if (payload !== null) receive(payload);
    }),
  ];

  return {
    ...service,
    offer,
    receive,
    dispose() {
      for (const undo of unfollow) undo();
      service.stop();
    },
  };
}

export const [PushAreaProvider, usePush] = createArea<Push>('push');
