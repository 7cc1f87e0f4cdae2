import type { Deposit, Pack, Wallet } from '../../../../protocol/product/wallet.ts';
import type { Scenes } from '../scene.ts';

const wallet: Wallet = {
  coins: 1_280,
  held: 0,
  limit: 20_000,
  spent: 3_000,
  next_limit: null,
  next_limit_at: null,
  is_first_deposit: true,
};
const pack = (price: number, bonus: number, is_best = false): Pack => ({
  pack_id: `coins-${price}`,
  price,
  coins: price,
  bonus,
  is_best,
});
const depositPacks = {
  packs: [pack(100, 0), pack(300, 15), pack(500, 40), pack(1_000, 120), pack(3_000, 450, true), pack(5_000, 750)],
  first_bonus_percent: 20,
  is_sandbox: true,
};
const deposit = (day: number, more: Partial<Deposit> = {}): Deposit => ({
  deposit_id: `d${day}`,
  order_no: `RB17672256000000${day}`,
  pack_id: 'coins-1000',
  price: 1_000,
  coins: 1_000,
  bonus: 120,
  method: 'card',
  status: 'paid',
  failure: null,
  pay_code: null,
  invoice: null,
  created_at: Date.UTC(2026, 0, day, 6),
  expires_at: Date.UTC(2026, 0, day, 7),
  settled_at: Date.UTC(2026, 0, day, 6),
  ...more,
});
const deposits = {
  items: [
    deposit(20, { method: 'convenience_store', status: 'pending', pay_code: '20260120060012' }),
    deposit(12),
    deposit(3, { status: 'failed', failure: 'declined' }),
  ],
  next: null,
};

const path = '/purchase/deposit';
const record = '/deposit-record';

export const walletScenes: Scenes = {
  deposit: { path, api: { wallet, depositPacks } },
  'deposit-loading': { path, answers: 'loading' },
  'deposit-failed': { path, answers: 'failed' },
  'deposit-offline': { path, offline: true, api: { wallet, depositPacks } },
  'deposit-limit': {
    path,
    api: { wallet: { ...wallet, next_limit: 12_000, next_limit_at: Date.UTC(2026, 10, 23, 4) }, depositPacks },
    play: async ({ shown }) => {
      (await shown('section button')).click();
      await shown('[role=dialog] form');
    },
  },
  'deposit-confirm': {
    path,
    api: { wallet, depositPacks },
    play: async ({ shown }) => {
      (await shown('input[value=line_pay]')).click();
      (await shown('button[type=submit]')).click();
      await shown('[role=dialog]');
    },
  },
  'deposit-record-receipt': {
    path: record,
    api: { deposits },
    play: async ({ shown }) => {
      (await shown('section li button')).click();
      await shown('[role=dialog]');
    },
  },
  'deposit-record': { path: record, api: { deposits } },
  'deposit-record-empty': { path: record, api: { deposits: { items: [], next: null } } },
  'deposit-record-loading': { path: record, answers: 'loading' },
  'deposit-record-offline': { path: record, offline: true, api: { deposits } },
  'deposit-record-failed': { path: record, answers: 'failed' },
};
