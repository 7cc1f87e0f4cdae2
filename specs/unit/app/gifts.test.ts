import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { COMBO_MS, comboAfter } from '../../../src/app/features/gifts/combo.ts';
import { depositPath, wayBack } from '../../../src/app/features/gifts/deposit-path.ts';
import type { ChargeSession } from '../../../src/protocol/product/wallet.ts';
import { detailOf, endingOf, titleOf } from '../../../src/app/features/money/transactions/charge-words.ts';
import { m } from '../../../src/app/core/i18n/generated/messages.js';
import { limitSchema, limitText } from '../../../src/app/features/money/deposit/monthly-limit.ts';

describe('gifts in a row', () => {
  it('are one combo when they have the same kind and are at most five seconds apart', () => {
    const first = comboAfter(null, 'rose', 0);
    const second = comboAfter(first, 'rose', COMBO_MS);
    expect([first.times, second.times]).toEqual([1, 2]);
    expect(comboAfter(second, 'rose', 2 * COMBO_MS + 1).times).toBe(1);
    expect(comboAfter(second, 'bear', COMBO_MS).times).toBe(1);
  });
});

describe('the return from the purchase of coins', () => {
  const backOf = (path: string) => wayBack(new URL(path, 'https://app.test').searchParams);

  it('leads to the previous page of the user', () => {
    expect(backOf(depositPath('/man-chat-list/a%20b'))).toBe('/man-chat-list/a%20b');
    expect(backOf('/purchase/deposit')).toBeNull();
  });

  it('leads to no address outside this app', () => {
    const foreign = ['//evil.test', '/\\evil.test', 'https://evil.test', 'javascript:alert(1)', 'x', '/a\\b', ''];
    for (const path of foreign) expect(backOf(depositPath(path)), path).toBeNull();
  });
});

describe('a monthly spending limit', () => {
  const wallet = {
    coins: 0,
    held: 0,
    limit: 5_000,
    spent: 3_000,
    next_limit: null,
    next_limit_at: null,
    is_first_deposit: false,
  };

  it('is absent, or whole dollars up to the maximum of the platform', () => {
    const isTaken = (limit: number | null) => v.is(limitSchema(20_000), { limit });
    expect([0, 500, 20_000].map(isTaken)).toEqual([true, true, true]);
    expect([null, -1, 20_001, 0.5, Number.NaN].map(isTaken)).toEqual([false, false, false, false, false]);
  });

  it('is shown with the amount spent, and with the coming limit when it was raised', () => {
    expect(limitText(wallet)).toMatch(/3,000.*5,000/);
    const raised = { ...wallet, next_limit: 12_000, next_limit_at: Date.UTC(2026, 10, 23, 4) };
    expect(limitText(raised)).toMatch(/3,000.*5,000.*12,000/);
    expect(limitText(raised)).not.toBe(limitText({ ...raised, next_limit_at: raised.next_limit_at + 86_400_000 }));
  });
});

describe('an entry of the spending', () => {
  const call: ChargeSession = {
    session_id: 'c',
    kind: 'video',
    with: { u_id: 'mei', nickname: '', profile_url: '' },
    started_at: Date.UTC(2026, 0, 9, 6),
    duration: 754_000,
    rate: 20,
    count: 13,
    amount: 260,
    end_result: 'completed',
  };

  it('is shown with the other user, by id when there is no name', () => {
    expect(titleOf(call)).toContain('mei');
    expect(titleOf({ ...call, with: null })).toContain(m.charges_somebody());
  });

  it('is shown with its end result when the call ended abnormally', () => {
    expect(endingOf(call)).toBe(m.ended_completed());
    expect(detailOf(call)).not.toContain(m.ended_completed());
    expect(detailOf({ ...call, end_result: 'connection_lost' })).toMatch(
      new RegExp(`12:34.*${m.ended_connection_lost()}$`),
    );
    // The server that had the call stopped, but the call took place.
    expect(detailOf({ ...call, end_result: 'unknown' })).not.toContain(m.ended_not_connected());
    expect(['unknown', 'a later word', null].map((end_result) => endingOf({ ...call, end_result }))).toEqual([
      null,
      null,
      null,
    ]);
  });
});
