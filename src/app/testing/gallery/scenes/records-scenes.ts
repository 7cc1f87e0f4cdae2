import type { ProductAnswer } from '../../../../protocol/product/api.ts';
import type { ChargeSession, TransactionEntry } from '../../../../protocol/product/wallet.ts';
import type { Scenes, Stage } from '../scene.ts';

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
    session('d', { duration: 95_000, end_result: 'connection_lost', count: 1, amount: 20 }),
    session('c', { kind: 'voice', duration: null, end_result: null, count: 2, amount: 40 }),
  ],
  next: null,
};
/** The charges in hundredths of a point. */
const hers = { ...chargeSessions, items: chargeSessions.items.map((one) => ({ ...one, amount: one.amount * 40 })) };
const sessionOf = (each: number): ProductAnswer<'chargeSession'> => ({
  session: session('a', { amount: 13 * each }),
  minutes: Array.from({ length: 14 }, (_, at) => ({
    minute: at + 1,
    at: Date.UTC(2026, 0, 9, 6, at),
    amount: each,
    is_refunded: at === 13,
  })),
});
const openFirst = async ({ shown }: Stage): Promise<void> => {
  (await shown('li button')).click();
  await shown('[role=dialog]');
};
const nothing = { items: [], next: null };

const path = '/transactions-record/all';
const charges = '/transactions-chat-record';

export const recordsScenes: Scenes = {
  transactions: { path, api: { transactions } },
  'transactions-unknown': { path: '/transactions-record/zzz' },
  'transactions-month': { path: `${path}?month=2026-01`, api: { transactions } },
  'transactions-month-empty': { path: `${path}?month=2026-02`, api: { transactions: nothing } },
  'transactions-empty': { path, api: { transactions: nothing } },
  'transactions-loading': { path, answers: 'loading' },
  'transactions-failed': { path, answers: 'failed' },
  'transactions-offline': { path, offline: true, api: { transactions } },
  charges: { path: charges, api: { chargeSessions } },
  'charges-woman': { path: charges, as: 'woman', api: { chargeSessions: hers } },
  'charges-session': {
    path: charges,
    api: { chargeSessions, chargeSession: sessionOf(20) },
    play: openFirst,
  },
  'charges-session-woman': {
    path: charges,
    as: 'woman',
    api: { chargeSessions: hers, chargeSession: sessionOf(800) },
    play: openFirst,
  },
  'charges-session-failed': { path: charges, api: { chargeSessions, chargeSession: 'failed' }, play: openFirst },
  'charges-empty': { path: charges, api: { chargeSessions: nothing } },
  'charges-loading': { path: charges, answers: 'loading' },
  'charges-offline': { path: charges, offline: true, api: { chargeSessions } },
  'charges-failed': { path: charges, answers: 'failed' },
};
