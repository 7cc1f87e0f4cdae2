import type { CallKind, Quote } from '../../../src/protocol/product/calls.ts';
import type { DialQuestion } from '../../exchange/calls/call-event.ts';
import type { Clock } from '../../../src/common/clock.ts';
import type { Database } from '../../store/database.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { shareOf, tierOf } from '../points/tier.ts';
import type { Billing } from './billing.ts';
import { offerOf } from '../people/call-offers.ts';
import { findSides } from '../people/sides.ts';
import { Refusal } from '../refusal.ts';
import type { Reservations } from './reservations.ts';

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly ledger: Ledger;
  readonly billing: Pick<Billing, 'isPaying'>;
  readonly reservations: Pick<Reservations, 'hold'>;
}

/** The user who pays a call, and the user who earns by it. */
interface Roles {
  readonly man: string;
  readonly woman: string;
}

/** What a call costs. */
interface Terms {
  /** Coins a minute. */
  readonly rate: number;
  /** Null for a call between two men or two women, which is free. */
  readonly roles: Roles | null;
  /** Why the two users may not have such a call, whatever it costs. Null when they may. */
  readonly reason: Quote['reason'];
}

/** The result of a dial. `busy`: the man pays another call. */
type Reserved = { readonly reserved: 'made' | 'refused' } | { readonly reserved: 'busy'; readonly man: string };

const NOTHING = { max_minutes: null, coins: null, points: null };

/** Quotes of calls between men and women: the price, and whether the call may be made. */
export class Quotes {
  readonly #with: Dependencies;

  constructor(dependencies: Dependencies) {
    this.#with = dependencies;
  }

  /** Returns whether this call may be made, and its price. A call between two men or two women is free. */
  async of(caller: string, callee: string, kind: CallKind): Promise<Quote> {
    const { billing, clock, database, ledger } = this.#with;
    const { rate, roles, reason } = await this.#terms(caller, callee, kind);
    if (roles === null || reason !== null) return { ...NOTHING, rate, allowed: reason === null, reason };
    const { man, woman } = roles;
    const isBusy = rate > 0 && (await billing.isPaying(man));
    const coins = await ledger.balance(`coins:${man}`);
    const minutes = rate === 0 ? null : Math.floor(coins / rate);
    const isPaid = minutes === null || minutes > 0;
    const share = async () => shareOf(rate, (await tierOf(database.db, woman, clock.wallTime())).percent);
    // Only the man sees his balance, and only the woman sees her share.
    const seen =
      man === caller ? { ...NOTHING, rate, max_minutes: minutes, coins } : { ...NOTHING, rate, points: await share() };
    // A man pays one call at a time, also while it is on hold.
    if (isBusy) return { ...seen, allowed: false, reason: 'unavailable' };
    if (isPaid) return { ...seen, allowed: true, reason: null };
    return { ...seen, allowed: false, reason: man === caller ? 'insufficient_coins' : 'unavailable' };
  }

  /** Returns whether the exchange may put a call through. A call with a price is then reserved for the man who pays. */
  async mayDial(dial: DialQuestion): Promise<boolean> {
    const first = await this.#reserve(dial);
    if (first.reserved !== 'busy') return first.reserved === 'made';
    // His other call may be over.
    return !(await this.#with.billing.isPaying(first.man)) && (await this.#reserve(dial)).reserved === 'made';
  }

  /** Reserves a call, and the coins of its first minute. A free call needs no reservation, and so no write. */
  async #reserve({ callId, caller, callee, isVideoCall }: DialQuestion): Promise<Reserved> {
    const { clock, database, reservations } = this.#with;
    const kind = isVideoCall ? 'video' : 'voice';
    const { rate, roles, reason } = await this.#terms(caller, callee, kind);
    if (reason !== null) return { reserved: 'refused' };
    if (roles === null || rate === 0) return { reserved: 'made' };
    const call = { callId, ...roles, kind, rate } as const;
    try {
      // A loss of power may take the reservation of a call that has not begun. Live calls rarely survive it (ADR 0015): then
      // the call begins at the price of that moment.
      const isMade = await database.transact(
        (transaction) => reservations.hold(transaction, call, clock.wallTime()),
        'crash',
      );
      return isMade ? { reserved: 'made' } : { reserved: 'busy', man: roles.man };
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== 'insufficient_coins') throw error;
      return { reserved: 'refused' };
    }
  }

  async #terms(caller: string, callee: string, kind: CallKind): Promise<Terms> {
    const { clock, database } = this.#with;
    const sides = caller === callee ? null : await findSides(database.db, caller, callee);
    if (!sides?.mayMeet) return { rate: 0, roles: null, reason: 'unavailable' };
    if (sides.caller === sides.callee) return { rate: 0, roles: null, reason: null };
    const [man, woman] = sides.caller === 'woman' ? [callee, caller] : [caller, callee];
    const { rate, accepts } = offerOf(sides.offers, kind, clock.wallTime());
    // A woman may dial a kind of call that she does not accept.
    return { rate, roles: { man, woman }, reason: woman === callee && !accepts ? 'not_accepted' : null };
  }
}
