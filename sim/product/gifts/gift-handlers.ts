import type { Transaction } from 'kysely';
import type { Tables } from '../../store/tables/tables.ts';
import type { Handlers } from '../handlers.ts';
import type { ProductParts } from '../parts.ts';
import { Refusal } from '../refusal.ts';
import { GIFTS } from '../rules.ts';

type Needs = Pick<
  ProductParts,
  'accounts' | 'blocks' | 'charges' | 'chat' | 'clock' | 'events' | 'ledger' | 'receipts' | 'wallets'
>;

export function giftHandlers(parts: Needs): Handlers<'gifts' | 'sendGift'> {
  const { charges, chat, clock, events, ledger, receipts, wallets } = parts;
  return {
    gifts: () => ({ gifts: [...GIFTS] }),

    async sendGift({ me, body, key }) {
      const { to, gift_id, count } = body;
      const gift = GIFTS.find((one) => one.gift_id === gift_id);
      if (!gift) throw new Refusal('not_found', 'gift_id is not in the list of gifts.', { field: 'gift_id' });
      const coins = gift.coins * count;
      const request = { uId: me.uId, name: 'sendGift' as const, key, content: body };
      return receipts.once(request, {
        async run(transaction) {
          await assertGiftable(parts, transaction, me.uId, to);
          const at = clock.wallTime();
          // The chat is locked first, in the same order as for a message that costs coins. So two requests cannot
          // deadlock.
          const appended = await chat.append(transaction, {
            from: me.uId,
            to,
            type: 'gift',
            data: { gift_id, name: gift.name, quantity: count, coins },
            at,
          });
          const earned = await charges.take(transaction, {
            // A receipt is kept for days, but the ledger for good. The key may be used again after that.
            key: `gift:${me.uId}:${key}:${at}`,
            kind: 'gift',
            at,
            man: me.uId,
            woman: to,
            coins,
            ref: { gift: gift_id, count, channel: appended.message.channel_url },
          });
          const coins_left = await ledger.balance(`coins:${me.uId}`, transaction);
          return { answer: { gift_id, count, coins, coins_left }, changed: { appended, points: earned ?? 0 } };
        },
        async afterCommit({ appended, points }) {
          await chat.publish(appended);
          events.publish([to], { type: 'gift_received', from: me.uId, gift_id, count, coins, points });
          await wallets.publish(me.uId, to);
        },
      });
    },
  };
}

/** Checks that a new gift may be given. A repeated request is answered from its receipt, without this check. */
async function assertGiftable(
  { accounts, blocks }: Pick<Needs, 'accounts' | 'blocks'>,
  transaction: Transaction<Tables>,
  from: string,
  to: string,
): Promise<void> {
  const taker = await accounts.find(to, transaction);
  // Users who are separated by a block learn nothing about each other.
  if (!taker || taker.isSuspended || (await blocks.isBlocked(from, to, transaction))) {
    throw new Refusal('not_found', 'No user has this id.', { field: 'to' });
  }
  // A user has one gender type, so this also refuses a gift to oneself.
  if (taker.genderType !== 'woman') throw new Refusal('invalid', 'Only a woman can receive gifts.', { field: 'to' });
}
