import type { Quote } from '../../../protocol/product/calls.ts';
import type { Logger } from '../../core/ports/ports.ts';
import type { CookieJar } from '../../core/preferences/cookie-jar.ts';
import type { ProductClient } from '../../core/product/product-client.ts';
import { type ReadableStore, createStore } from '../../../common/store.ts';
import { type CallKind, type CallParty, isLive } from '../../../react/index.ts';
import type { CallingService } from './calling-service.ts';

/** The step before a call: the check of the devices, or the refusal of the call. */
export interface BeforeCall {
  readonly step: 'check' | 'refused';
  readonly party: CallParty;
  readonly kind: CallKind;
  /** The cost of the call. Null when it is unknown. */
  readonly quote: Quote | null;
}

/** A dialer that requests the cost of a call, and checks the devices before the first call. */
export interface Dialer {
  readonly before: ReadableStore<BeforeCall | null>;
  /** The cost of the last dialled call. Null when it is unknown. */
  readonly quote: ReadableStore<Quote | null>;
  /** True when the user checks the devices before the next call. */
  readonly looksFirst: ReadableStore<boolean>;
  setLooksFirst(looks: boolean): void;
  dial(party: CallParty, kind: CallKind): Promise<void>;
  /** Dials the call after the check of the devices. `again` repeats the check before the next call. */
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

/** Stored on the device and not in the session: every user of the device has the same devices. */
const CHECKED_COOKIE = 'ringback_devices_checked';

export function createDialer({ calling, product, cookies, logger }: Dependencies): Dialer {
  const before = createStore<BeforeCall | null>(null);
  const quote = createStore<Quote | null>(null);
  const looksFirst = createStore(cookies.read(CHECKED_COOKIE) === null);
  let isAsking = false;
  /** Counts sign-outs, so that an answer for an earlier user is dropped. */
  let generation = 0;

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
      const known = await quoteOf(product, logger, party.userId, kind);
      if (asker !== generation) return;
      isAsking = false;
      // Another call may have begun during the request.
      if (isLive(calling.state.get().active)) return;
      const asked = { party, kind, quote: known };
      // The exchange may still reach a callee that the product reports as `unavailable`.
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

/**
 * Requests the cost of a call. A failure does not prevent the call, since the server refuses a call that is not
 * permitted.
 */
async function quoteOf(
  product: Dependencies['product'],
  logger: Logger,
  callee: string,
  kind: CallKind,
): Promise<Quote | null> {
  try {
    return await product.ask('quoteCall', { body: { callee, kind } });
  } catch (error) {
    logger.warn('the price of the call did not load', error);
    return null;
  }
}
