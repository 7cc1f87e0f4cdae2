import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { COMBO_MS, comboAfter } from '../../../src/app/gifts/combo.ts';
import { depositPath, wayBack } from '../../../src/app/gifts/deposit-path.ts';
import { limitSchema, limitText } from '../../../src/app/screens/deposit/monthly-limit.ts';

describe('gifts in a row', () => {
  it('are one combo while they are of one kind and five seconds apart at the most', () => {
    const first = comboAfter(null, 'rose', 0);
    const second = comboAfter(first, 'rose', COMBO_MS);
    expect([first.times, second.times]).toEqual([1, 2]);
    expect(comboAfter(second, 'rose', 2 * COMBO_MS + 1).times).toBe(1);
    expect(comboAfter(second, 'bear', COMBO_MS).times).toBe(1);
  });
});

describe('the way back from where coins are bought', () => {
  const backOf = (path: string) => wayBack(new URL(path, 'https://app.test').searchParams);

  it('leads to the page one came from', () => {
    expect(backOf(depositPath('/man-chat-list/a%20b'))).toBe('/man-chat-list/a%20b');
    expect(backOf('/purchase/deposit')).toBeNull();
  });

  it('leads nowhere outside this app', () => {
    const foreign = ['//evil.test', '/\\evil.test', 'https://evil.test', 'javascript:alert(1)', 'x', '/a\\b', ''];
    for (const path of foreign) expect(backOf(depositPath(path)), path).toBeNull();
  });
});

describe('what somebody lets themselves spend a month', () => {
  const wallet = {
    coins: 0,
    held: 0,
    limit: 5_000,
    spent: 3_000,
    next_limit: null,
    next_limit_at: null,
    is_first_deposit: false,
  };

  it('is nothing at all, or whole dollars up to what the house allows', () => {
    const isTaken = (limit: number | null) => v.is(limitSchema(20_000), { limit });
    expect([0, 500, 20_000].map(isTaken)).toEqual([true, true, true]);
    expect([null, -1, 20_001, 0.5, Number.NaN].map(isTaken)).toEqual([false, false, false, false, false]);
  });

  it('is told with what was spent, and with the one that comes where it was raised', () => {
    expect(limitText(wallet)).toMatch(/3,000.*5,000/);
    const raised = { ...wallet, next_limit: 12_000, next_limit_at: Date.UTC(2026, 10, 23, 4) };
    expect(limitText(raised)).toMatch(/3,000.*5,000.*12,000/);
    expect(limitText(raised)).not.toBe(limitText({ ...raised, next_limit_at: raised.next_limit_at + 86_400_000 }));
  });
});
