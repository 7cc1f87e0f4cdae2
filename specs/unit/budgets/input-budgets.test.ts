import { describe, expect, it } from 'vitest';
import type { InputBudget } from '../../../sim/budgets/input-budget.ts';
import { INPUT_BUDGETS } from '../../../sim/budgets/table.ts';
import { endpointOf, PRODUCT_API, type EndpointName } from '../../../src/protocol/product/api.ts';

const rows = Object.values(INPUT_BUDGETS).flatMap((part) => Object.entries(part));
const productRows: readonly [string, InputBudget][] = Object.entries(INPUT_BUDGETS['Requests of the product'] ?? {});

describe('the table of input budgets', () => {
  it('S14: has a row for each request of the product, and no row for another', () => {
    expect(productRows.map(([name]) => name).toSorted()).toEqual(Object.keys(PRODUCT_API).toSorted());
  });

  it('S14: names each row once, so that no two inputs share their counts', () => {
    const names = rows.map(([name]) => name);
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
  });

  it('S14: limits every request: by address where it needs no session, by account where it needs one', () => {
    const unlimited = productRows.filter(
      ([, { sender, limits }]) => !limits.some(({ by }) => by === (sender === 'anybody' ? 'address' : 'account')),
    );
    expect(unlimited.map(([name]) => name)).toEqual([]);
  });

  it('S17: gives a body to exactly the requests that accept one', () => {
    const wrong = productRows.filter(([name, { maxBytes }]) => {
      const { body, takes } = endpointOf(name as EndpointName);
      return (body !== undefined || takes !== undefined) !== maxBytes > 0;
    });
    expect(wrong.map(([name]) => name)).toEqual([]);
  });

  it('S14: names the target of every limit that counts by target', () => {
    const nameless = rows.filter(
      ([, { limits, target }]) => limits.some(({ by }) => by.startsWith('target')) && target === undefined,
    );
    expect(nameless.map(([name]) => name)).toEqual([]);
  });
});
