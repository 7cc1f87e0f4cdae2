import { describe, expect, test } from 'vitest';
import { checkParts } from '../../../tools/checks/check-parts.ts';
import { forgeTree } from './forged-tree.ts';

const AREA = 'sim/product/chat/chat.ts';
const check = (source: string, file = AREA) => checkParts(forgeTree({ [AREA]: '', [file]: source })).faults;

describe('check of the parts that an area takes', () => {
  test.each([
    'function start(parts: ProductParts) {}',
    'function start({ clock }: Readonly<ProductParts>) {}',
    'class Chat { constructor(readonly parts: ProductParts) {} }',
    'type Needs = ProductParts & { url: string };',
  ])('refuses an area that takes all parts: %s', (source) => {
    expect(check(`import type { ProductParts } from '../parts.ts';\n${source}`)).toEqual([
      expect.stringContaining(`${AREA}:2: takes all parts`),
    ]);
  });

  test.each([
    "type Needs = Pick<ProductParts, 'clock' | 'database'>;",
    "function start({ clock }: Pick<ProductParts, 'clock'>) {}",
  ])('permits an area that names its parts: %s', (source) => {
    expect(check(source)).toEqual([]);
  });

  test('permits the wiring of the product to take all parts', () => {
    expect(check('function start(parts: ProductParts) {}', 'sim/product/open-areas.ts')).toEqual([]);
  });

  test('refuses a tree without areas', () => {
    expect(checkParts(forgeTree({})).faults).toEqual([expect.stringContaining('nothing was checked')]);
  });
});
