import { describe, expect, it } from 'vitest';
import type { Points } from '../../../src/protocol/product/points.ts';
import { mayRedeem, mostToRedeem } from '../../../src/app/features/money/current-points/may-redeem.ts';
import { dayOf, daysBetween, lastDays } from '../../../src/app/features/money/income-details/range.ts';
import { daysOf, monthsUntil, readMonth } from '../../../src/app/features/money/transactions/months.ts';
import { wholePoints } from '../../../src/app/core/i18n/format.ts';
import { sparkPoints } from '../../../src/ui/kit/sparkline.tsx';
import { toDoSteps } from '../../../src/app/features/people/home-woman/to-do-steps.ts';
import { pointsScenes } from '../../../src/app/testing/gallery/scenes/points-scenes.ts';

const DAY_MS = 86_400_000;

describe('the points of the screens', () => {
  const shown = pointsScenes['points']?.api?.points;
  if (typeof shown !== 'object' || !('redeeming' in shown)) throw new Error('The scene shows no points');
  const having = (available: number, redeeming: Partial<Points['redeeming']> = {}): Points => ({
    ...shown,
    available,
    redeeming: { ...shown.redeeming, ...redeeming },
  });

  it('are whole numbers, rounded toward zero', () => {
    expect([0, 99, 100, 199, 1_268_050, -199].map(wholePoints)).toEqual([0, 0, 1, 1, 12_680, -1]);
  });

  it('can be redeemed from the minimum on, when nothing is missing, no redemption is open and today allows it', () => {
    const open = pointsScenes['points-open']?.api?.points;
    expect(mayRedeem(having(100_000))).toBe('yes');
    expect(mayRedeem(having(99_999))).toBe('few');
    expect(mayRedeem(having(100_000, { left_today: 999 }))).toBe('today');
    expect(mayRedeem(having(0, { missing: ['identity'] }))).toBe('missing');
    expect(mayRedeem(having(100_000, { missing: ['older_contact'] }))).toBe('new_contact');
    expect(mayRedeem(having(100_000, { missing: ['older_contact', 'payout_account'] }))).toBe('missing');
    expect(mayRedeem(open as Points)).toBe('open');
  });

  it('are offered in whole steps, up to the limit of today', () => {
    expect(mostToRedeem(having(1_268_050))).toBe(12_600);
    expect(mostToRedeem(having(1_268_050, { left_today: 5_050 }))).toBe(5_000);
  });
});

describe('the days of an income', () => {
  it('begin and end with the day in Taipei', () => {
    const beforeMidnight = Date.UTC(2026, 10, 21, 15, 59, 59);
    expect([dayOf(beforeMidnight), dayOf(beforeMidnight + 1_000)]).toEqual(['2026-11-21', '2026-11-22']);
    const today = { from: Date.UTC(2026, 10, 20, 16), to: Date.UTC(2026, 10, 21, 16) };
    expect(lastDays('today', beforeMidnight)).toEqual(today);
    expect(lastDays('week', beforeMidnight)).toEqual({ ...today, from: today.from - 6 * DAY_MS });
    expect(lastDays('month', beforeMidnight)).toEqual({ ...today, from: today.from - 29 * DAY_MS });
    expect(lastDays('today', beforeMidnight - 3_600_000)).toEqual(today);
    expect(daysBetween('2026-11-21', '2026-11-21')).toEqual(today);
  });

  it('are at most 366, and in order', () => {
    expect(daysBetween('2026-11-22', '2026-11-21')).toBeNull();
    expect(daysBetween('2025-11-21', '2026-11-21')).not.toBeNull();
    expect(daysBetween('2025-11-20', '2026-11-21')).toBeNull();
    expect(daysBetween('', '2026-11-21')).toBeNull();
  });
});

describe('the open tasks of a woman', () => {
  const left = (...asked: Parameters<typeof toDoSteps>) =>
    toDoSteps(...asked).flatMap(({ key, done }) => (done ? [] : [key]));

  it('are what a woman needs to be found or paid; tasks of payouts are absent while their state is unknown', () => {
    const bare = { photos: [], intro: '', verified: false };
    expect(left(bare, ['identity', 'contact', 'payout_account'])).toEqual(['photo', 'intro', 'identity', 'payout']);
    expect(left(bare, undefined)).toEqual(['photo', 'intro', 'identity']);
    expect(left({ ...bare, intro: 'hi', verified: true }, ['older_contact'])).toEqual(['photo']);
  });
});

describe('a chart line', () => {
  it('goes from left to right, and reaches the top at the maximum', () => {
    expect(sparkPoints([0, 50, 100])).toBe('0,38 50,20 100,2');
  });

  it('lies at the bottom for zero or less', () => {
    expect(sparkPoints([0, 0])).toBe('0,38 100,38');
    expect(sparkPoints([-5, 0])).toBe('0,38 100,38');
    expect(sparkPoints([7])).toBe('0,2');
    expect(sparkPoints([])).toBe('');
  });
});

describe('the months of transactions', () => {
  it('are named by the address; an invalid month selects none', () => {
    const read = (search: string) => readMonth(new URLSearchParams(search));
    expect(read('month=2026-02')).toBe('2026-02');
    for (const none of ['', 'month=', 'month=2026-13', 'month=0000-02', 'month=2026-02-01']) {
      expect(read(none), none).toBeNull();
    }
  });

  it('begin with their first day and end with their last', () => {
    expect(daysOf('2026-01')).toEqual({ from: '2026-01-01', to: '2026-01-31' });
    expect(daysOf('2028-02')).toEqual({ from: '2028-02-01', to: '2028-02-29' });
    expect(daysOf('2026-12').to).toBe('2026-12-31');
  });

  it('are the last twelve months in Taipei, and the selected one', () => {
    const beforeMidnight = Date.UTC(2026, 1, 28, 15, 59, 59);
    expect(monthsUntil(beforeMidnight, '2026-01').slice(0, 3)).toEqual(['2026-02', '2026-01', '2025-12']);
    expect(monthsUntil(beforeMidnight + 1_000, null)[0]).toBe('2026-03');
    expect(monthsUntil(beforeMidnight, null)).toHaveLength(12);
    expect(monthsUntil(beforeMidnight, '2020-05').at(-1)).toBe('2020-05');
  });
});
