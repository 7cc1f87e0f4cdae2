import type { Kysely, Transaction } from 'kysely';
import * as v from 'valibot';
import type { CallKind } from '../../../src/protocol/product/calls.ts';
import type { EntryKind } from '../../../src/protocol/product/wallet.ts';
import type { Tables } from '../../store/tables/tables.ts';
import { countGift } from '../gifts/gift-wall.ts';
import type { UserAccount } from '../ledger/account.ts';
import { type Ledger, type Line, reference, type Reference } from '../ledger/ledger.ts';
import { addBought, takeBought } from '../ledger/bought-coins.ts';
import { shareOf, tierOf } from '../points/tier.ts';
import { MESSAGE_RULES, SHARE_RULES } from '../rules.ts';
import { taipeiDay } from '../calendar.ts';

/** A payment of a man's coins to the platform, and the woman's share of it. */
interface Charge {
  readonly key: string;
  readonly kind: EntryKind & ('gift' | 'message' | CallKind);
  readonly at: number;
  readonly man: string;
  readonly woman: string;
  /** At least 1. */
  readonly coins: number;
  /** The part of the purse that pays. Default: coins. */
  readonly from?: 'coins' | 'held';
  readonly ref: Omit<Reference, 'man' | 'woman'>;
}

interface MessageCharge {
  /** The sender. Null when the sender is never charged. */
  readonly man: string;
  readonly woman: string;
  readonly channelUrl: string;
  readonly kind: 'text' | 'photo' | 'voice';
  /** The messages that the man has sent in the chat, this one included. */
  readonly sent: number;
  /** The id of the message, which is unique. */
  readonly messageId: string;
  readonly at: number;
}

/** Charges of men's coins and the women's shares, within the transaction of the caller. */
export class Charges {
  readonly #ledger: Ledger;
  readonly #isBilling: boolean;

  /** @param isBilling - whether messages cost coins. */
  constructor(ledger: Ledger, isBilling: boolean) {
    this.#ledger = ledger;
    this.#isBilling = isBilling;
  }

  /**
   * Takes the coins of a charge, once for each key. Bought coins are spent first, and only they earn points.
   *
   * @returns the hundredths of a point that were earned. Null when the charge was made before.
   * @throws Refusal `insufficient_coins`.
   */
  async take(transaction: Transaction<Tables>, charge: Charge): Promise<number | null> {
    const { key, kind, at, man, woman, coins, from = 'coins', ref } = charge;
    const percent = kind === 'gift' ? SHARE_RULES.giftPercent : (await tierOf(transaction, woman, at)).percent;
    const bought = await takeBought(transaction, man, coins);
    const points = shareOf(bought, percent);
    const payer: UserAccount = `${from}:${man}`;
    const isNew = await this.#ledger.post(transaction, {
      key,
      kind,
      at,
      ref: { ...ref, ...(bought < coins ? { bought } : {}), man, woman },
      lines: [{ account: payer, delta: -coins }, { account: 'house:spent', delta: coins }, ...earning(woman, points)],
    });
    if (!isNew) {
      await addBought(transaction, man, bought);
      return null;
    }
    if (points > 0) {
      await transaction
        .insertInto('ringback_settlements')
        .values({ transfer: key, u_id: woman, points, due_at: at + SHARE_RULES.settleMs })
        .execute();
      await addVolume(transaction, woman, at, bought);
    }
    if (ref.gift !== undefined) await countGift(transaction, woman, ref.gift, ref.count ?? 1);
    return points;
  }

  /** Returns the hundredths of a point that a charge has earned and that are not settled yet. */
  async earnedBy(transaction: Kysely<Tables>, key: string): Promise<number> {
    const row = await transaction
      .selectFrom('ringback_settlements')
      .where('transfer', '=', key)
      .select('points')
      .executeTakeFirst();
    return row?.points ?? 0;
  }

  /** Refunds a charge once. @returns false when it was refunded before. */
  async giveBack(transaction: Transaction<Tables>, charge: Omit<Charge, 'from'>, points: number): Promise<boolean> {
    const { key, at, man, woman, coins, ref } = charge;
    const isNew = await this.#ledger.post(transaction, {
      key: `${key}:refund`,
      kind: 'refund',
      at,
      ref: { ...ref, man, woman },
      lines: [
        { account: `coins:${man}`, delta: coins },
        { account: 'house:spent', delta: -coins },
        ...earning(woman, -points),
      ],
    });
    if (!isNew) return false;
    await transaction.deleteFrom('ringback_settlements').where('transfer', '=', key).execute();
    const bought = await boughtOf(transaction, key, coins);
    await addBought(transaction, man, bought);
    if (bought > 0) await addVolume(transaction, woman, at, -bought);
    return true;
  }

  /** Makes points available for redemption that were earned long enough ago. */
  async settle(transaction: Transaction<Tables>, woman: string, now: number): Promise<void> {
    const due = await transaction
      .deleteFrom('ringback_settlements')
      .where('u_id', '=', woman)
      .where('due_at', '<=', now)
      .returning(['transfer', 'points'])
      .execute();
    const points = due.reduce((sum, row) => sum + row.points, 0);
    if (points === 0) return;
    // The transaction deletes these rows, so the key of the first one is unique for good.
    const [first] = due.map(({ transfer }) => transfer).toSorted();
    await this.#ledger.post(transaction, {
      key: `settle:${first}`,
      kind: 'settlement',
      at: now,
      ref: {},
      lines: [
        { account: `settling:${woman}`, delta: -points },
        { account: `points:${woman}`, delta: points },
      ],
    });
  }

  /**
   * Charges a message. Messages of women and a man's first ones in a chat are free.
   *
   * @returns the coins that it cost.
   * @throws Refusal `insufficient_coins` when the message may not be sent.
   */
  async message(transaction: Transaction<Tables>, message: MessageCharge): Promise<number> {
    const { man, woman, channelUrl, kind, sent, messageId, at } = message;
    if (!this.#isBilling || sent <= MESSAGE_RULES.free) return 0;
    const coins = MESSAGE_RULES[kind];
    const ref = { channel: channelUrl };
    const points = await this.take(transaction, {
      key: `message:${messageId}`,
      kind: 'message',
      at,
      man,
      woman,
      coins,
      ref,
    });
    if (points === null) return coins;
    const day = taipeiDay(at);
    await transaction
      .insertInto('ringback_charge_sessions')
      .values({
        session_id: `message.${day}.${channelUrl}`,
        man,
        woman,
        kind: 'message',
        rate: null,
        count: 1,
        coins,
        points,
        started_at: at,
        duration: null,
        end_result: null,
        is_open: 0,
        touched_at: at,
      })
      .onConflict((conflict) =>
        conflict.column('session_id').doUpdateSet(({ eb }) => ({
          count: eb('ringback_charge_sessions.count', '+', 1),
          coins: eb('ringback_charge_sessions.coins', '+', coins),
          points: eb('ringback_charge_sessions.points', '+', points),
          touched_at: at,
        })),
      )
      .execute();
    return coins;
  }
}

/** Returns the line of what a woman earns or loses. Empty for 0. */
const earning = (woman: string, points: number): Line[] =>
  points === 0
    ? []
    : [
        { account: `settling:${woman}`, delta: points },
        { account: 'house:earned', delta: -points },
      ];

/** Returns how many coins of a charge were bought. */
async function boughtOf(transaction: Transaction<Tables>, key: string, coins: number): Promise<number> {
  const { ref } = await transaction
    .selectFrom('ringback_transfers')
    .where('key', '=', key)
    .select('ref')
    .executeTakeFirstOrThrow();
  return v.parse(reference, JSON.parse(ref)).bought ?? coins;
}

async function addVolume(transaction: Transaction<Tables>, u_id: string, at: number, coins: number): Promise<void> {
  await transaction
    .insertInto('ringback_volumes')
    .values({ u_id, day: taipeiDay(at), coins })
    .onConflict((conflict) =>
      conflict.columns(['u_id', 'day']).doUpdateSet(({ eb }) => ({ coins: eb('ringback_volumes.coins', '+', coins) })),
    )
    .execute();
}
