import type { Quote } from '../../../protocol/product/calls.ts';
import type { Logger } from '../../core/ports/logger.ts';
import type { CookieJar } from '../../core/preferences/cookie-jar.ts';
import type { ProductClient } from '../../core/product/product-client.ts';
import { type ReadableStore, createStore } from '../../core/store/store.ts';
import { type CallKind, type CallParty, isLive } from './call-state.ts';
import type { CallingService } from './calling-service.ts';

/** What stands before a call: the devices are looked at first, or it may not be made. */
export interface BeforeCall {
  readonly step: 'check' | 'refused';
  readonly party: CallParty;
  readonly kind: CallKind;
  /** What it costs; null where that is not known. */
  readonly quote: Quote | null;
}

/** The way to a call: what it costs is asked, and before the first one the devices are looked at. */
export interface Dialer {
  readonly before: ReadableStore<BeforeCall | null>;
  /** What the call that was dialled last costs; null where that is not known. */
  readonly quote: ReadableStore<Quote | null>;
  /** The devices are looked at before the next call. */
  readonly looksFirst: ReadableStore<boolean>;
  setLooksFirst(looks: boolean): void;
  dial(party: CallParty, kind: CallKind): Promise<void>;
  /** The devices are good: the call is dialled. `again` has them looked at before the next one too. */
  go(again: boolean): void;
  /** Closes the question. The user makes no call. */
  cancel(): void;
  /** Cancels every pending dial after a sign-out. An open question dials nothing then. */
  clear(): void;
}

interface Dependencies {
  calling: Pick<CallingService, 'dial' | 'state'>;
  product: Pick<ProductClient, 'ask'>;
  cookies: CookieJar;
  logger: Logger;
}

/** On the device, not in the session: they are the same devices for whoever signs in. */
const CHECKED_COOKIE = 'ringback_devices_checked';

export function createDialer({ calling, product, cookies, logger }: Dependencies): Dialer {
  const before = createStore<BeforeCall | null>(null);
  const quote = createStore<Quote | null>(null);
  const looksFirst = createStore(cookies.read(CHECKED_COOKIE) === null);
  let isAsking = false;
  /** Counts users: an answer for one who has gone is nobody's. */
  let generation = 0;

  /** Without an answer it is dialled all the same: the server refuses what may not be. */
  async function ask(callee: string, kind: CallKind): Promise<Quote | null> {
    try {
      return await product.ask('quoteCall', { body: { callee, kind } });
    } catch (error) {
      logger.warn('what the call costs is not known', error);
      return null;
    }
  }

  function setLooksFirst(looks: boolean): void {
    if (looks) cookies.remove(CHECKED_COOKIE);
    else cookies.write(CHECKED_COOKIE, '1');
    looksFirst.set(looks);
  }

  function dialNow({ party, kind, quote: known }: Omit<BeforeCall, 'step'>): void {
    before.set(null);
    quote.set(known);
    calling.dial(party, kind);
  }

  return {
    before,
    quote,
    looksFirst,
    setLooksFirst,
    async dial(party, kind) {
      if (isAsking || isLive(calling.state.get().active)) return;
      isAsking = true;
      const asker = generation;
      const known = await ask(party.userId, kind);
      if (asker !== generation) return;
      isAsking = false;
      // Somebody may have called meanwhile.
      if (isLive(calling.state.get().active)) return;
      const asked = { party, kind, quote: known };
      // Whom the product cannot tell of the exchange may still know: it decides.
      if (known?.allowed === false && known.reason !== 'unavailable') before.set({ step: 'refused', ...asked });
      else if (looksFirst.get()) before.set({ step: 'check', ...asked });
      else dialNow(asked);
    },
    go(again) {
      const asked = before.get();
      if (asked === null) return;
      setLooksFirst(again);
      if (isLive(calling.state.get().active)) return before.set(null);
      dialNow(asked);
    },
    cancel: () => before.set(null),
    clear() {
      generation += 1;
      isAsking = false;
      before.set(null);
      quote.set(null);
    },
  };
}
