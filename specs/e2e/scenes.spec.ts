/**
 * Every scene of the gallery can be used by whoever does not see it, does not see it well, or does not aim well: on a phone and on a
 * desktop, dark and light, in both languages.
 */
import { expect } from '@playwright/test';
import { scenes } from '../../src/app/gallery/scenes.ts';
import { test } from './support/gallery-test.ts';

const PHONE = 390;
const NARROWEST = 320;
const DESKTOP = 1280;

for (const scene of Object.keys(scenes)) {
  test(`${scene} is accessible and fits`, async ({ stage }) => {
    const phone = { scene, locale: 'zh-Hant', width: PHONE } as const;
    const narrow = { scene, theme: 'light', width: NARROWEST } as const;
    const desktop = { scene, locale: 'en', width: DESKTOP } as const;
    const found = {
      'phone, dark': await stage.faults({ ...phone, theme: 'dark' }, ['rules', 'targets', 'width']),
      'phone, light': await stage.faults({ ...phone, theme: 'light' }, ['colours']),
      'narrow phone': await stage.faults({ ...narrow, locale: 'zh-Hant' }, ['width']),
      'narrow phone, in English': await stage.faults({ ...narrow, locale: 'en' }, ['targets', 'width']),
      'desktop, light': await stage.faults({ ...desktop, theme: 'light' }, ['rules', 'targets', 'width']),
      'desktop, dark': await stage.faults({ ...desktop, theme: 'dark' }, ['colours']),
    };
    expect(found).toEqual(Object.fromEntries(Object.keys(found).map((look) => [look, []])));
  });
}
