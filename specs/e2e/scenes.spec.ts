/**
 * Tests that every scene of the gallery is usable for users who see badly or not at all, or who aim badly: on a
 * phone and on a desktop, dark and light, in both languages. A theme changes only colours
 * (specs/unit/app/themes.test.ts), so sizes are checked in one theme. docs/adr/0018-browser-test-cost.md lists which
 * checks are left out for which scene, and why.
 */
import { expect } from '@playwright/test';
import { scenes } from '../../src/app/testing/gallery/scenes.ts';
import { test } from './support/gallery-test.ts';
import type { Check, Look } from './support/page-faults.ts';

const PHONE = 390;
const NARROWEST = 320;
const DESKTOP = 1280;

const NAMES = Object.keys(scenes);
/** States that a screen gets from the component kit, or that show less than the screen's other scenes. */
const LESSER_STATE = /-(?:loading|failed|offline|empty)$/;
/** The components of the kit, and one screen in each of those states. */
const IN_EVERY_LOOK = /^(?:kit|home)\b/;

/** Returns whether the scene shows a screen itself. `points-open` is a state of `points`, and has its frame. */
const isScreen = (scene: string): boolean => NAMES.every((other) => !scene.startsWith(`${other}-`));

/** The checks in each look at a scene. */
function looksAt(scene: string): Record<string, readonly [Omit<Look, 'scene'>, readonly Check[]]> {
  const phone = { locale: 'zh-Hant', width: PHONE } as const;
  const narrow = { theme: 'light', width: NARROWEST } as const;
  const desktop = { locale: 'en', width: DESKTOP } as const;
  if (LESSER_STATE.test(scene) && !IN_EVERY_LOOK.test(scene)) {
    return {
      'narrow phone, dark': [{ ...phone, theme: 'dark', width: NARROWEST }, ['rules', 'targets', 'width']],
      'desktop, light': [{ ...desktop, theme: 'light' }, ['targets', 'width']],
    };
  }
  return {
    'phone, dark': [{ ...phone, theme: 'dark' }, ['rules', 'targets', 'width']],
    'narrow phone, light': [{ ...narrow, locale: 'zh-Hant' }, ['targets', 'width']],
    'narrow phone, light, in English': [{ ...narrow, locale: 'en' }, ['targets', 'width']],
    'desktop, light': [
      { ...desktop, theme: 'light' },
      [isScreen(scene) || IN_EVERY_LOOK.test(scene) ? 'rules' : 'colours', 'targets', 'width'],
    ],
    ...(IN_EVERY_LOOK.test(scene)
      ? {
          'colours of the phone, light': [{ ...phone, theme: 'light' }, ['colours']],
          'colours of the desktop, dark': [{ ...desktop, theme: 'dark' }, ['colours']],
        }
      : {}),
  };
}

/**
 * Groups scenes by the first word of their names, one test for each group, so that Playwright starts and reports few
 * tests.
 */
const areaOf = (scene: string): string => scene.split('-', 1)[0] ?? scene;
const AREAS = new Set(NAMES.map(areaOf));

for (const area of AREAS) {
  const members = NAMES.filter((scene) => areaOf(scene) === area);
  test(`the scenes of ${area} are accessible and fit: ${members.join(', ')}`, async ({ stage }) => {
    const faults: Record<string, readonly string[]> = {};
    for (const scene of members) {
      for (const [name, [look, checks]] of Object.entries(looksAt(scene))) {
        const found = await stage.faults({ ...look, scene }, checks);
        if (found.length > 0) faults[`${scene}, ${name}`] = found;
      }
    }
    expect(faults).toEqual({});
  });
}
