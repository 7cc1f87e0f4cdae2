import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { landingFaces } from '../../../fixtures/landing-faces.ts';
import { m } from '../../../src/app/i18n/generated/messages.js';
import { countWords, findWords } from '../../../src/app/screens/legal/find-words.ts';
import { blocksOf } from '../../../src/app/screens/legal/legal-section.ts';
import { readCatalogue } from './support/catalogues.ts';

const app = (path: string) => readFileSync(new URL(`../../../src/app/${path}`, import.meta.url), 'utf8');

describe('the first picture of the landing', () => {
  it('is of the people that their seeds draw', () => {
    expect(landingFaces).toHaveLength(6);
    landingFaces.forEach((face, index) => expect(app(`public/faces/${index + 1}.svg`).trim()).toBe(face));
  });

  it('says in both languages what the screen will say', () => {
    const page = app('index.html');
    expect(page).toContain(`<h1 lang="zh-Hant-TW">${m.landing_headline({}, { locale: 'zh-Hant' })}</h1>`);
    expect(page).toContain(`<h1 lang="en">${m.landing_headline({}, { locale: 'en' })}</h1>`);
  });
});

describe('a legal text', () => {
  it('has the same paragraphs and lists in both languages', () => {
    const shape = (text: unknown) =>
      blocksOf(String(text)).map((block) => [block.kind, 'points' in block && block.points.length]);
    const chinese = readCatalogue('zh-Hant', 'legal');
    const english = readCatalogue('en', 'legal');
    const texts = Object.keys(chinese).filter((name) => name.endsWith('_text'));
    expect(texts.length).toBeGreaterThan(20);
    for (const name of texts) expect([name, shape(english[name])]).toEqual([name, shape(chinese[name])]);
  });

  it('is paragraphs, a line each, and lists of the lines that begin with a dash', () => {
    expect(blocksOf('one\n- a\n- b\ntwo\n- c')).toEqual([
      { kind: 'paragraph', text: 'one' },
      { kind: 'list', points: ['a', 'b'] },
      { kind: 'paragraph', text: 'two' },
      { kind: 'list', points: ['c'] },
    ]);
  });
});

describe('searching a text', () => {
  it('finds words in upper and lower case, in full and half width', () => {
    expect(findWords('Coins, coins and ＣＯＩＮＳ', ' coins ')).toEqual([
      { at: 0, text: 'Coins', isFound: true },
      { at: 5, text: ', ', isFound: false },
      { at: 7, text: 'coins', isFound: true },
      { at: 12, text: ' and ', isFound: false },
      { at: 17, text: 'ＣＯＩＮＳ', isFound: true },
    ]);
  });

  it('loses nothing of the text, found or not, also where a letter folds to several', () => {
    for (const words of ['', ' ', '點', 'x', 'a', '['])
      expect(
        findWords('點數與金幣：1 點 ﬁ a[b]', words)
          .map(({ text }) => text)
          .join(''),
      ).toBe('點數與金幣：1 點 ﬁ a[b]');
  });

  it('counts how often they are there, and nothing for no words', () => {
    expect(countWords('點數與 1 點', '點')).toBe(2);
    expect(countWords('點數', '幣')).toBe(0);
    expect(countWords('點數', '')).toBe(0);
  });
});
