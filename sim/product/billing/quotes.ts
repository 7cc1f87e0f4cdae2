import type { CallKind, Quote } from '../../../src/protocol/product/calls.ts';
import type { DialQuestion } from '../../exchange/call-event.ts';
import type { Clock } from '../../exchange/ports.ts';
import type { Database } from '../../store/database.ts';
import type { Accounts } from '../accounts/accounts.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Blocks } from '../people/blocks.ts';
import { shareOf, tierOf } from '../points/tier.ts';
import { offerOf } from './offer.ts';

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly accounts: Accounts;
  readonly blocks: Blocks;
  readonly ledger: Ledger;
}

/** What a call would cost, and whether it may be made, where calls between men and women are billed. */
export class Quotes {
  readonly #with: Dependencies;

  constructor(dependencies: Dependencies) {
    this.#with = dependencies;
  }

  /** Whether this call may be made, and what it costs. Between two of one kind nothing is billed. */
  async of(caller: string, callee: string, kind: CallKind): Promise<Quote> {
    const { accounts, blocks, clock, database, ledger } = this.#with;
    const [one, other] = await Promise.all([accounts.find(caller), accounts.find(callee)]);
    const nothing = { rate: 0, max_minutes: null, coins: null, points: null };
    const isApart = caller === callee || (await blocks.isBlocked(caller, callee));
    if (!one || !other || one.isSuspended || other.isSuspended || isApart)
      return { ...nothing, allowed: false, reason: 'unavailable' };
    if (one.genderType === other.genderType) return { ...nothing, allowed: true, reason: null };
    const woman = one.genderType === 'woman' ? one.uId : other.uId;
    const { rate, accepts } = await offerOf(database.db, woman, kind, clock.now());
    // What she does not accept she may still dial herself.
    if (woman === callee && !accepts) return { ...nothing, rate, allowed: false, reason: 'not_accepted' };
    const payer = woman === caller ? callee : caller;
    const coins = await ledger.balance(`coins:${payer}`);
    const minutes = rate === 0 ? null : Math.floor(coins / rate);
    const isPaid = minutes === null || minutes > 0;
    const share = async () => shareOf(rate, (await tierOf(database.db, woman, clock.now())).percent);
    // What a man has is his to know, and what a woman gets of it hers.
    const seen =
      payer === caller
        ? { ...nothing, rate, max_minutes: minutes, coins }
        : { ...nothing, rate, points: await share() };
    if (isPaid) return { ...seen, allowed: true, reason: null };
    return { ...seen, allowed: false, reason: payer === caller ? 'insufficient_coins' : 'unavailable' };
  }

  /** Whether the exchange may put a call through. Of whom it does not know, it decides by itself. */
  async mayDial({ caller, callee, isVideoCall }: DialQuestion): Promise<boolean> {
    const { allowed, reason } = await this.of(caller, callee, isVideoCall ? 'video' : 'voice');
    if (reason === 'unavailable') return (await this.#with.accounts.find(callee)) === undefined || caller === callee;
    return allowed;
  }
}
