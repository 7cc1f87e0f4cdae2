import type { Clock } from '../../../common/clock.ts';
import type { CookieJar } from '../../core/preferences/cookie-jar.ts';
import { type ReadableStore, createStore } from '../../../common/store.ts';
import type { PushService } from './push-service.ts';

/**
 * The first question about notifications, asked by the app at a suitable time. The browser can ask only once, so it
 * asks after the user has agreed here.
 */
export interface PushOffer {
  readonly isOpen: ReadableStore<boolean>;
  /**
   * Opens the question at a suitable time, such as a first reply or a missed call. Does nothing after an answer, or
   * within 14 days after the user has postponed it.
   */
  offer(): void;
  accept(): Promise<void>;
  later(): void;
}

const LATER_MS = 14 * 24 * 60 * 60 * 1_000;
/** Stored on the device, so that a user who signs out and in again is not asked again. */
const LATER_COOKIE = 'ringback_push_later';

interface Dependencies {
  push: Pick<PushService, 'state' | 'enable'>;
  cookies: CookieJar;
  clock: Clock;
}

export function createPushOffer({ push, cookies, clock }: Dependencies): PushOffer {
  const isOpen = createStore(false);

  const isPutOff = (): boolean => clock.wallTime() < Number(cookies.read(LATER_COOKIE) ?? 0);

  return {
    isOpen,
    offer() {
      if (push.state.get() === 'possible' && !isPutOff()) isOpen.set(true);
    },
    async accept() {
      isOpen.set(false);
      await push.enable();
    },
    later() {
      isOpen.set(false);
      cookies.write(LATER_COOKIE, String(clock.wallTime() + LATER_MS));
    },
  };
}
