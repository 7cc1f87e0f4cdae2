import { expect, it } from 'vitest';
import { shortLadder } from '../../../cli/testing/short-ladder.ts';

it('keeps the names of the columns and the last lines', () => {
  const rows = Array.from({ length: 400 }, (_, index) => `row ${index}`);
  const lines = shortLadder(['alice bob', '| |', ...rows].join('\n')).split('\n');
  expect(lines.slice(0, 4)).toEqual(['alice bob', '| |', '(250 earlier lines are in the picture)', 'row 250']);
  expect(lines.at(-1)).toBe('row 399');
  expect(shortLadder('alice bob\n| |\nrow 0\n')).toBe('alice bob\n| |\nrow 0\n');
});
