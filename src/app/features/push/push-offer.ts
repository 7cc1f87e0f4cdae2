import type { Clock } from '../../core/ports/clock.ts';
import type { CookieJar } from '../../core/preferences/cookie-jar.ts';
import { type ReadableStore, createStore } from '../../core/store/store.ts';
import type { PushService } from './push-service.ts';

/**
 * The first step of asking: our own words, after a moment in which they make sense. The browser's question, which can be
 * asked only once, comes after a yes.
 */
export interface PushOffer {
  readonly isOpen: ReadableStore<boolean>;
  /** A good moment: a first reply, a missed call. Shown unless it was answered, or put off in the last 14 days. */
  offer(): void;
  accept(): Promise<void>;
  later(): void;
}

const LATER_MS = 14 * 24 * 60 * 60 * 1_000;
/** On the device: whoever signs out and in again is not asked again. */
const LATER_COOKIE = 'ringback_push_later';

interface Dependencies {
  push: Pick<PushService, 'state' | 'enable'>;
  cookies: CookieJar;
  clock: Clock;
}

export function createPushOffer({ push, cookies, clock }: Dependencies): PushOffer {
  const isOpen = createStore(false);

  const isPutOff = (): boolean => clock.now() < Number(cookies.read(LATER_COOKIE) ?? 0);

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
      cookies.write(LATER_COOKIE, String(clock.now() + LATER_MS));
    },
  };
}
