import { describe, expect, it } from 'vitest';
import { COMBO_MS, comboAfter } from '../../../src/app/gifts/combo.ts';
import { depositPath, wayBack } from '../../../src/app/gifts/deposit-path.ts';

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
