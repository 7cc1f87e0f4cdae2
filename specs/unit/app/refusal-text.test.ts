import { describe, expect, it } from 'vitest';
import { ProductError } from '../../../src/app/core/product/product-error.ts';
import { refusalCode, refusalText, waitText } from '../../../src/app/core/product/refusal-text.ts';
import { REFUSALS, type RefusalCode } from '../../../src/protocol/product/refusals.ts';

const codes = Object.keys(REFUSALS);
const refused = (code: string, more: { field?: string; retry_after?: number } = {}) =>
  new ProductError('refused', 'no', { status: 400, refusal: { code, message: 'for developers', ...more } });

describe('the text for a failed request', () => {
  it('is a sentence for every refusal of the contract, without its code and without texts for developers', () => {
    expect(codes.length).toBeGreaterThan(15);
    for (const code of codes) {
      const text = refusalText(refused(code));
      expect([code, text]).toEqual([code, expect.stringMatching(/[。.]$/u)]);
      expect(text).not.toContain(code);
      expect(text).not.toContain('for developers');
    }
  });

  it('names which of two fields is taken, and how long to wait', () => {
    expect(refusalText(refused('taken', { field: 'nickname' }))).not.toBe(
      refusalText(refused('taken', { field: 'contact' })),
    );
    expect(refusalText(refused('locked', { retry_after: 59.2 }))).toContain('60');
    expect([1, 119, 120, 7_199, 7_200, 172_800, undefined].map(waitText)).toEqual([
      '1 秒',
      '119 秒',
      '2 分鐘',
      '120 分鐘',
      '2 小時',
      '2 天',
      '60 秒',
    ]);
  });

  it('distinguishes an unreachable server, a broken contract and a server that fails', () => {
    const texts = [new ProductError('unreachable', 'x'), new ProductError('malformed', 'x'), refused('failed')].map(
      refusalText,
    );
    expect(new Set(texts).size).toBe(3);
    for (const odd of [refused('a code of next year'), new ProductError('refused', 'x'), new Error('x'), null]) {
      expect(refusalText(odd)).toBe(texts[2]);
      expect(refusalCode(odd)).toBeNull();
    }
    expect(refusalCode(refused('taken'))).toBe('taken' satisfies RefusalCode);
  });
});
