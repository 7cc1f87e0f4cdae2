import type { Income, PayoutAccount, Points, Redemption, SourceSums } from '../../../../protocol/product/points.ts';
import type { Scene, Scenes } from '../scene.ts';

const DAY_MS = 86_400_000;
const NOON = Date.UTC(2026, 10, 21, 4);
const dayText = (back: number): string => new Date(NOON - back * DAY_MS).toISOString().slice(0, 10);

const account: PayoutAccount = {
  bank_code: '822',
  tail: '9012',
  holder: '王小美',
  name_match: 'matches',
  changed_at: NOON - 20 * DAY_MS,
};

const pending: Redemption = {
  redemption_id: 'r-4',
  amount: 3_000,
  fee: 15,
  net: 2_985,
  bank_code: '822',
  tail: '9012',
  state: 'pending',
  fault: null,
  created_at: NOON,
  reviewing_at: null,
  decided_at: null,
  ended_at: null,
  expected_at: NOON + 3 * DAY_MS,
};

const ended = { reviewing_at: NOON, decided_at: NOON, ended_at: NOON - 5 * DAY_MS };
const redemptions: Redemption[] = [
  pending,
  { ...pending, redemption_id: 'r-3', state: 'reviewing', created_at: NOON - DAY_MS, reviewing_at: NOON - DAY_MS },
  {
    ...pending,
    ...ended,
    redemption_id: 'r-2',
    state: 'paid',
    amount: 12_500,
    net: 12_485,
    created_at: NOON - 6 * DAY_MS,
  },
  {
    ...pending,
    ...ended,
    redemption_id: 'r-1',
    state: 'rejected',
    fault: 'name_differs',
    created_at: NOON - 9 * DAY_MS,
  },
  { ...pending, ...ended, redemption_id: 'r-0', state: 'cancelled', created_at: NOON - 12 * DAY_MS },
];

/** The points of a woman. */
export const points: Points = {
  available: 1_268_050,
  settling: 84_000,
  reviewing: 0,
  settles: [
    { at: NOON + 3 * 3_600_000, points: 32_000 },
    { at: NOON + 20 * 3_600_000, points: 52_000 },
  ],
  tier: { percent: 45, from: 10_000, coins: 31_400, days: 30, gift_percent: 50, next: { percent: 50, from: 50_000 } },
  days: Array.from({ length: 30 }, (_, at) => ({
    day: dayText(29 - at),
    points: at % 7 === 3 ? 0 : 18_000 + ((at * 7_919) % 61) * 1_000,
  })),
  redeeming: {
    least: 1_000,
    step: 100,
    fee: 15,
    daily_most: 50_000,
    left_today: 50_000,
    missing: [],
    contact: '+8869*****678',
    contact_from: null,
    open: null,
    account,
  },
};

const sums = (voice: number, video: number, message: number, gift: number): SourceSums => ({
  voice,
  video,
  message,
  gift,
});
const week = [
  sums(18_000, 42_000, 1_600, 0),
  sums(0, 0, 400, 15_000),
  sums(26_000, 12_000, 2_400, 0),
  sums(9_000, 64_000, 0, 49_950),
  sums(0, 0, 0, 0),
  sums(31_000, 22_000, 3_200, 5_000),
  sums(12_000, 36_000, 800, 14_950),
];
const sumOf = (of: SourceSums): number => of.voice + of.video + of.message + of.gift;

const income: Income = {
  total: week.reduce((all, day) => all + sumOf(day), 0),
  sources: week.reduce((all, day) =>
    sums(all.voice + day.voice, all.video + day.video, all.message + day.message, all.gift + day.gift),
  ),
  items: week.map((sources, at) => ({ key: dayText(6 - at), points: sumOf(sources), sources, supporter: null })),
};

const noIncome: Income = {
  total: 0,
  sources: sums(0, 0, 0, 0),
  items: income.items.map((item) => ({ ...item, points: 0, sources: sums(0, 0, 0, 0) })),
};

const api = {
  points,
  income,
  redemptions: { items: redemptions, next: null },
  sendRedeemCode: { resend_after: 60, expires_in: 600 },
} as const;

/** Returns her points with another state of redeeming. */
const redeeming = (changes: Partial<Points['redeeming']>): Points => ({
  ...points,
  redeeming: { ...points.redeeming, ...changes },
});

const current: Scene = { path: '/current-points', as: 'woman', api };
const details: Scene = { path: '/income-details', as: 'woman', api };
const records: Scene = { path: '/redemption-records', as: 'woman', api };

export const pointsScenes: Scenes = {
  points: current,
  'points-open': { ...current, api: { points: { ...redeeming({ open: pending }), reviewing: 300_000 } } },
  'points-missing': {
    ...current,
    api: {
      points: redeeming({ missing: ['identity', 'contact', 'payout_account'], contact: null, account: null }),
    },
  },
  'points-new-contact': {
    ...current,
    api: { points: redeeming({ missing: ['older_contact'], contact: null, contact_from: NOON + 2 * DAY_MS }) },
  },
  'points-account': {
    ...current,
    api: {
      points: redeeming({ missing: ['payout_account'], account: null }),
      ownerProofs: { has_password: false, contact: null, contact_from: NOON + 2 * DAY_MS, cool_off_seconds: 259_200 },
    },
    async play({ shown }) {
      (await shown('main section li button')).click();
      await shown('[role=dialog] fieldset p + p');
    },
  },
  'points-empty': {
    ...current,
    api: {
      points: {
        ...points,
        available: 0,
        settling: 0,
        settles: [],
        tier: { percent: 40, from: 0, coins: 0, days: 30, gift_percent: 50, next: { percent: 45, from: 10_000 } },
        days: points.days.map(({ day }) => ({ day, points: 0 })),
      },
    },
  },
  'points-loading': { ...current, api: {}, answers: 'loading' },
  'points-failed': { ...current, api: {}, answers: 'failed' },
  'points-offline': { ...current, offline: true },

  income: details,
  'income-custom': { ...details, path: '/income-details?range=custom&from=2026-11-15&to=2026-11-21' },
  'income-empty': { ...details, api: { income: noIncome } },
  'income-loading': { ...details, api: {}, answers: 'loading' },
  'income-failed': { ...details, api: {}, answers: 'failed' },
  'income-offline': { ...details, offline: true },

  redemptions: records,
  'redemptions-empty': { ...records, api: { redemptions: { items: [], next: null } } },
  'redemptions-loading': { ...records, api: {}, answers: 'loading' },
  'redemptions-failed': { ...records, api: {}, answers: 'failed' },
  'redemptions-offline': { ...records, offline: true },
};
