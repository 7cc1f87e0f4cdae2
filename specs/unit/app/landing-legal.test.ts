import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { landingFaces } from '../../../fixtures/landing-faces.ts';
import { m } from '../../../src/app/core/i18n/generated/messages.js';
import { countWords, findWords } from '../../../src/app/routes/legal/find-words.ts';
import { blocksOf } from '../../../src/app/routes/legal/legal-section.ts';
import {
  CALL_RULES,
  DAY_MS,
  DEPOSIT_RULES,
  MESSAGE_RULES,
  REDEMPTION_RULES,
  SHARE_RULES,
} from '../../../sim/product/rules.ts';
import { readCatalogue } from './support/catalogues.ts';

const app = (path: string) => readFileSync(new URL(`../../../src/app/${path}`, import.meta.url), 'utf8');

describe('the first picture of the landing page', () => {
  it('shows the faces that their seeds generate', () => {
    expect(landingFaces).toHaveLength(6);
    landingFaces.forEach((face, index) => expect(app(`public/faces/${index + 1}.svg`).trim()).toBe(face));
  });

  it('has the texts of the screen in both languages', () => {
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

  it('states the rules of the platform', () => {
    const number = (value: number) => value.toLocaleString('en');
    const seconds = (ms: number) => ms / 1_000;
    const hours = (ms: number) => ms / 3_600_000;
    const { free, text, photo, voice } = MESSAGE_RULES;
    expect([photo, SHARE_RULES.settleMs, DEPOSIT_RULES.coolOffMs]).toEqual([voice, DAY_MS, DAY_MS]);
    const [low, middle, high] = SHARE_RULES.tiers.map(({ percent }) => percent);
    const { least, dailyMost, fee } = REDEMPTION_RULES;
    const rules = {
      'zh-Hant': [
        `前 ${seconds(CALL_RULES.freeMs)} 秒免費`,
        `最多計費 ${seconds(CALL_RULES.holdMs)} 秒`,
        `有 ${seconds(CALL_RULES.graceMs)} 秒可以儲值`,
        `前 ${free} 則訊息免費；之後文字每則 ${text} 枚，照片與語音留言每則 ${photo} 枚`,
        `新臺幣 ${number(DEPOSIT_RULES.monthlyLimit)} 元`,
        `調高要 ${hours(DEPOSIT_RULES.coolOffMs)} 小時後才生效`,
        `最近 ${SHARE_RULES.tierDays} 天的收入級距為金幣的 ${low}%、${middle}% 或 ${high}%；禮物為 ${SHARE_RULES.giftPercent}%`,
        `先結算 ${hours(SHARE_RULES.settleMs)} 小時`,
        `每次至少 ${number(least)} 點，每天最多 ${number(dailyMost)} 點`,
        `手續費新臺幣 ${fee} 元`,
      ],
      en: [
        `The first ${seconds(CALL_RULES.freeMs)} seconds are free`,
        `At most ${seconds(CALL_RULES.holdMs)} seconds of each hold`,
        `you have ${seconds(CALL_RULES.graceMs)} seconds to buy more`,
        `The first ${free} messages a man sends`,
        `a text costs ${text} coins, a photo or voice note ${photo}`,
        `NT$${number(DEPOSIT_RULES.monthlyLimit)} a month`,
        `takes effect after ${hours(DEPOSIT_RULES.coolOffMs)} hours`,
        `gets ${low}, ${middle} or ${high} percent as points, depending on her income of the last ${SHARE_RULES.tierDays} days; of gifts, ${SHARE_RULES.giftPercent} percent`,
        `settle for ${hours(SHARE_RULES.settleMs)} hours`,
        `At least ${number(least)} points at a time, at most ${number(dailyMost)} a day`,
        `fee of NT$${fee} each`,
      ],
    } as const;
    for (const locale of ['zh-Hant', 'en'] as const) {
      const all = Object.values(readCatalogue(locale, 'legal')).join('\n');
      expect(rules[locale].filter((rule) => !all.includes(rule))).toEqual([]);
    }
  });

  it('has paragraphs, one for each line, and lists of the lines that begin with a dash', () => {
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

  it('returns the whole text, also where a letter folds to several', () => {
    for (const words of ['', ' ', '點', 'x', 'a', '['])
      expect(
        findWords('點數與金幣：1 點 ﬁ a[b]', words)
          .map(({ text }) => text)
          .join(''),
      ).toBe('點數與金幣：1 點 ﬁ a[b]');
  });

  it('counts the matches, and none for an empty query', () => {
    expect(countWords('點數與 1 點', '點')).toBe(2);
    expect(countWords('點數', '幣')).toBe(0);
    expect(countWords('點數', '')).toBe(0);
  });
});
