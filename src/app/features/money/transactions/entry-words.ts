import type { EntryKind, TransactionType } from '../../../../protocol/product/wallet.ts';
import { m } from '../../../core/i18n/generated/messages.js';

const KINDS: Readonly<Record<TransactionType | EntryKind, () => string>> = {
  all: m.transactions_all,
  gift: m.transactions_gift,
  voice: m.transactions_voice,
  video: m.transactions_video,
  message: m.transactions_message,
  deposit: m.transactions_deposit,
  bonus: m.transactions_bonus,
  refund: m.transactions_refund,
  redeem: m.transactions_redeem,
  settlement: m.transactions_settlement,
  hold: m.transactions_hold,
};

/** Returns the name of a kind of transaction. */
export const kindText = (kind: TransactionType | EntryKind): string => KINDS[kind]();

const GIFTS: Readonly<Record<string, () => string>> = {
  rose: m.gift_rose,
  'milk-tea': m.gift_milk_tea,
  cake: m.gift_cake,
  bear: m.gift_bear,
  bouquet: m.gift_bouquet,
  champagne: m.gift_champagne,
  fireworks: m.gift_fireworks,
  necklace: m.gift_necklace,
  ring: m.gift_ring,
  'sports-car': m.gift_sports_car,
  yacht: m.gift_yacht,
  castle: m.gift_castle,
};

/** Returns the name of a gift. An unknown gift has a general name. */
export const giftText = (giftId: string): string => (GIFTS[giftId] ?? m.transactions_gift)();
