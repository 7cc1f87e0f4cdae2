import type { ChargeSession, TransactionEntry } from '../../../protocol/product/wallet.ts';
import type { Scenes } from '../scene.ts';

const mei = { u_id: 'mei', nickname: '小美', profile_url: '/portraits/mei.svg' };
const entry = (id: number, more: Partial<TransactionEntry>): TransactionEntry => ({
  id: String(id),
  type: 'deposit',
  delta: 1_000,
  balance_after: 1_280,
  at: Date.UTC(2026, 0, id, 6),
  with: null,
  gift_id: null,
  count: null,
  minute: null,
  call_id: null,
  deposit_id: null,
  ...more,
});
const transactions = {
  items: [
    entry(9, { type: 'gift', delta: -297, balance_after: 1_003, with: mei, gift_id: 'bear', count: 3 }),
    entry(8, { type: 'video', delta: -20, balance_after: 1_300, with: mei, minute: 2, call_id: 'c' }),
    entry(7, { type: 'bonus', delta: 320, balance_after: 1_320 }),
    entry(6, { balance_after: 1_000 }),
  ],
  next: null,
};
const session = (session_id: string, more: Partial<ChargeSession>): ChargeSession => ({
  session_id,
  kind: 'video',
  with: mei,
  started_at: Date.UTC(2026, 0, 9, 6),
  duration: 754_000,
  rate: 20,
  count: 13,
  amount: 260,
  end_result: 'completed',
  ...more,
});
const chargeSessions = {
  items: [
    session('a', {}),
    session('b', { kind: 'message', duration: null, rate: null, count: 12, amount: 24 }),
    session('c', { kind: 'voice', duration: null, end_result: null, count: 2, amount: 40 }),
  ],
  next: null,
};
const nothing = { items: [], next: null };

const path = '/transactions-record/all';
const charges = '/transactions-chat-record';

export const recordsScenes: Scenes = {
  transactions: { path, api: { transactions } },
  'transactions-unknown': { path: '/transactions-record/zzz' },
  'transactions-empty': { path, api: { transactions: nothing } },
  'transactions-loading': { path, answers: 'loading' },
  'transactions-failed': { path, answers: 'failed' },
  'transactions-offline': { path, offline: true, api: { transactions } },
  charges: { path: charges, api: { chargeSessions } },
  'charges-woman': { path: charges, as: 'woman', api: { chargeSessions } },
  'charges-empty': { path: charges, api: { chargeSessions: nothing } },
  'charges-loading': { path: charges, answers: 'loading' },
  'charges-offline': { path: charges, offline: true, api: { chargeSessions } },
  'charges-failed': { path: charges, answers: 'failed' },
};
