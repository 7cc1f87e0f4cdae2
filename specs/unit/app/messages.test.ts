import { describe, expect, it } from 'vitest';
import inlang from '../../../src/app/core/i18n/ringback.inlang/settings.json' with { type: 'json' };
import { memoryCookieJar } from '../../../src/app/testing/fakes/memory-storage.ts';
import { formatAgo, formatDuration } from '../../../src/app/core/i18n/format.ts';
import { m } from '../../../src/app/core/i18n/generated/messages.js';
import { createLocalePreference } from '../../../src/app/core/i18n/locale.ts';
import { createSoundPreference } from '../../../src/app/core/preferences/sound.ts';
import { createThemePreference } from '../../../src/app/core/preferences/theme.ts';
import { catalogueAreas, readCatalogue } from './support/catalogues.ts';
import { literalWords } from './support/literal-words.ts';

const placeholders = (message: unknown): string[] =>
  Array.from(new Set(JSON.stringify(message).match(/\{\w+\}/g))).toSorted();

describe('messages', () => {
  it('are complete in both languages: the same areas, the same names, the same placeholders', () => {
    expect(catalogueAreas('en')).toEqual(catalogueAreas('zh-Hant'));
    for (const area of catalogueAreas('zh-Hant')) {
      const chinese = readCatalogue('zh-Hant', area);
      const english = readCatalogue('en', area);
      expect([area, Object.keys(english)]).toEqual([area, Object.keys(chinese)]);
      for (const [name, message] of Object.entries(chinese)) {
        expect([name, placeholders(english[name])]).toEqual([name, placeholders(message)]);
      }
    }
  });

  it('are each in one area, and every area is compiled', () => {
    const areaOf = new Map<string, string>();
    for (const area of catalogueAreas('zh-Hant')) {
      for (const name of Object.keys(readCatalogue('zh-Hant', area)).filter((key) => key !== '$schema')) {
        expect([name, areaOf.get(name)]).toEqual([name, undefined]);
        areaOf.set(name, area);
      }
    }
    expect(areaOf.size).toBeGreaterThan(150);
    expect(inlang['plugin.inlang.messageFormat'].pathPattern.toSorted()).toEqual(
      catalogueAreas('zh-Hant').map((area) => `./messages/{locale}/${area}.json`),
    );
  });

  it('contain every visible text: no component has texts or number formats of its own', () => {
    const found = literalWords();
    expect(found.looked).toBeGreaterThan(40);
    expect(found.words).toEqual([]);
  });

  it('contain no amount of money: the server states prices and earnings', () => {
    const amount = /\d ?(?:幣|枚|點|coin|point)|NT\$\d/;
    const named = catalogueAreas('zh-Hant')
      // A separate test checks the amounts that the terms name.
      .filter((area) => area !== 'legal')
      .flatMap((area) => [readCatalogue('zh-Hant', area), readCatalogue('en', area)])
      .flatMap((messages) => Object.entries(messages))
      .filter(([, message]) => amount.test(JSON.stringify(message)));
    // The value of a point.
    expect(new Set(named.map(([name]) => name))).toEqual(new Set(['points_lede']));
  });

  it('SCR-01: the placeholder of a screen is "Loading..." in every language', () => {
    expect(m.screen_loading({}, { locale: 'zh-Hant' })).toBe('Loading...');
    expect(m.screen_loading({}, { locale: 'en' })).toBe('Loading...');
  });

  it('OVL-03, OVL-04: the buttons of the incoming card are 接聽 and 拒絕', () => {
    expect(m.incoming_accept({}, { locale: 'zh-Hant' })).toBe('接聽');
    expect(m.incoming_decline({}, { locale: 'zh-Hant' })).toBe('拒絕');
  });
});

describe('the language', () => {
  it.each([
    [['zh-TW', 'en'], 'zh-Hant'],
    [['zh-CN'], 'zh-Hant'],
    [['en-GB', 'zh-TW'], 'en'],
    [['fr', 'en'], 'en'],
    [['fr'], 'zh-Hant'],
    [[], 'zh-Hant'],
  ])('is chosen by the browser languages: %o gives %s', (languages, expected) => {
    expect(createLocalePreference(memoryCookieJar(), languages).locale.get()).toBe(expected);
  });

  it('is the one that the user chose before in this browser, and is stored', () => {
    const jar = memoryCookieJar();
    createLocalePreference(jar, ['zh-TW']).choose('en');
    const later = createLocalePreference(jar, ['zh-TW']);
    expect(later.locale.get()).toBe('en');
    expect(m.incoming_accept()).toBe('Accept');
    later.choose('zh-Hant');
    expect(m.incoming_accept()).toBe('接聽');
  });
});

describe('the appearance', () => {
  it('follows the system until the user chooses, and the choice is stored', () => {
    const jar = memoryCookieJar({ ringback_theme: 'neon' });
    const preference = createThemePreference(jar);
    expect(preference.theme.get()).toBe('system');
    preference.choose('light');
    expect(createThemePreference(jar).theme.get()).toBe('light');
  });
});

describe('the sounds of calls', () => {
  it('have the chosen volume, which is stored, also while they are muted', () => {
    const jar = memoryCookieJar();
    const preference = createSoundPreference(jar);
    expect(preference.volume.get()).toBe(1);
    preference.setPercent(40);
    preference.setMuted(true);
    const later = createSoundPreference(jar);
    expect([later.choice.get(), later.volume.get()]).toEqual([{ percent: 40, isMuted: true }, 0]);
    later.setMuted(false);
    expect(later.volume.get()).toBe(0.4);
    later.setMuted(true);
    later.setPercent(70);
    expect(later.volume.get()).toBe(0.7);
  });

  it.each(['loud', '{}', '{"percent":101,"isMuted":false}', '{"percent":null,"isMuted":true}'])(
    'have full volume when the stored value is %s',
    (kept) => {
      expect(createSoundPreference(memoryCookieJar({ ringback_sound: kept })).volume.get()).toBe(1);
    },
  );
});

describe('times', () => {
  it('are formatted as on telephones', () => {
    expect([0, 7, 754, 3723].map(formatDuration)).toEqual(['00:00', '00:07', '12:34', '1:02:03']);
  });

  it('of the past are shown in the largest whole unit', () => {
    createLocalePreference(memoryCookieJar(), ['en']);
    const now = 10 * 24 * 60 * 60 * 1000;
    expect(formatAgo(now - 3 * 60_000, now)).toBe('3 minutes ago');
    expect(formatAgo(now - 119_999, now)).toBe('1 minute ago');
    expect(formatAgo(now - 59_999, now)).toBe('this minute');
    expect(formatAgo(now - (2 * 60 * 60_000 - 1), now)).toBe('1 hour ago');
    expect(formatAgo(now - (3 * 24 * 60 * 60_000 - 1), now)).toBe('2 days ago');
    expect(formatAgo(now - 75 * 60_000, now)).toBe('1 hour ago');
    expect(formatAgo(now - 26 * 60 * 60_000, now)).toBe('yesterday');
    expect(formatAgo(now + 5_000, now)).toBe('this minute');
  });
});
