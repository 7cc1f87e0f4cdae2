import type { CallKind, Quote } from '../../../src/protocol/product/calls.ts';
import type { DialQuestion } from '../../exchange/calls/call-event.ts';
import type { Clock } from '../../../src/common/clock.ts';
import type { Database } from '../../store/database.ts';
import type { Accounts } from '../accounts/accounts.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Blocks } from '../people/blocks.ts';
import { shareOf, tierOf } from '../points/tier.ts';
import type { Billing } from './billing.ts';
import { offerOf } from '../people/call-offers.ts';
import type { Reservations } from './reservations.ts';

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly accounts: Accounts;
  readonly blocks: Blocks;
  readonly ledger: Ledger;
  readonly billing: Pick<Billing, 'isPaying'>;
  readonly reservations: Pick<Reservations, 'make'>;
}

/** The user who pays a call, and the user who earns by it. */
interface Roles {
  readonly man: string;
  readonly woman: string;
}

/** Quotes of calls between men and women: the price, and whether the call may be made. */
export class Quotes {
  readonly #with: Dependencies;

  constructor(dependencies: Dependencies) {
    this.#with = dependencies;
  }

  /** Returns whether this call may be made, and its price. A call between two men or two women is free. */
  async of(caller: string, callee: string, kind: CallKind): Promise<Quote> {
    return (await this.#find(caller, callee, kind)).quote;
  }

  /** Finds the quote, and the payer and earner. Null for the roles of a free call. */
  async #find(
    caller: string,
    callee: string,
    kind: CallKind,
  ): Promise<{ readonly quote: Quote; readonly roles: Roles | null }> {
    const { accounts, blocks, billing, clock, database, ledger } = this.#with;
    const [one, other] = await Promise.all([accounts.find(caller), accounts.find(callee)]);
    const nothing = { rate: 0, max_minutes: null, coins: null, points: null };
    const free = (quote: Quote) => ({ quote, roles: null });
    const isApart = caller === callee || (await blocks.isBlocked(caller, callee));
    if (!one || !other || one.isSuspended || other.isSuspended || isApart)
      return free({ ...nothing, allowed: false, reason: 'unavailable' });
    if (one.genderType === other.genderType) return free({ ...nothing, allowed: true, reason: null });
    const woman = one.genderType === 'woman' ? one.uId : other.uId;
    const { rate, accepts } = await offerOf(database.db, woman, kind, clock.wallTime());
    // A woman may dial a kind of call that she does not accept.
    if (woman === callee && !accepts) return free({ ...nothing, rate, allowed: false, reason: 'not_accepted' });
    const payer = woman === caller ? callee : caller;
    const isBusy = rate > 0 && (await billing.isPaying(payer));
    const coins = await ledger.balance(`coins:${payer}`);
    const minutes = rate === 0 ? null : Math.floor(coins / rate);
    const isPaid = minutes === null || minutes > 0;
    const share = async () => shareOf(rate, (await tierOf(database.db, woman, clock.wallTime())).percent);
    // Only the man sees his balance, and only the woman sees her share.
    const seen =
      payer === caller
        ? { ...nothing, rate, max_minutes: minutes, coins }
        : { ...nothing, rate, points: await share() };
    const roles = rate === 0 ? null : { man: payer, woman };
    // A man pays one call at a time, also while it is on hold.
    if (isBusy) return { quote: { ...seen, allowed: false, reason: 'unavailable' }, roles };
    if (isPaid) return { quote: { ...seen, allowed: true, reason: null }, roles };
    const reason = payer === caller ? 'insufficient_coins' : 'unavailable';
    return { quote: { ...seen, allowed: false, reason }, roles };
  }

  /**
   * Returns whether the exchange may put a call through. A call with a price is then reserved for the man who pays. The
   * exchange itself refuses a callee without an account.
   */
  async mayDial({ callId, caller, callee, isVideoCall }: DialQuestion): Promise<boolean> {
    const { accounts, reservations } = this.#with;
    const kind = isVideoCall ? 'video' : 'voice';
    const { quote, roles } = await this.#find(caller, callee, kind);
    if (!quote.allowed) {
      return quote.reason === 'unavailable' && caller !== callee && (await accounts.find(callee)) === undefined;
    }
    return roles === null || reservations.make({ callId, ...roles, kind, rate: quote.rate });
  }
}
