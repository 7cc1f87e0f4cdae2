/**
 * Every scene of the gallery can be used by a user who does not see it, does not see it well, or does not aim well: on a phone and on
 * a desktop, dark and light, in both languages. A theme changes colours alone (specs/unit/app/themes.test.ts), so that sizes are
 * checked in one theme. What is left out for which scene, and why: docs/adr/0018-browser-test-cost.md.
 */
import { expect } from '@playwright/test';
import { scenes } from '../../src/app/testing/gallery/scenes.ts';
import { test } from './support/gallery-test.ts';
import type { Check, Look } from './support/page-faults.ts';

const PHONE = 390;
const NARROWEST = 320;
const DESKTOP = 1280;

const NAMES = Object.keys(scenes);
/** A state that a screen has from a part of the kit, or with less on it than the screen's own scenes. */
const LESSER_STATE = /-(?:loading|failed|offline|empty)$/;
/** The parts of the kit, and one screen in each of those states. */
const IN_EVERY_LOOK = /^(?:kit|home)\b/;

/** Whether the scene shows a screen as such; `points-open` is a state of `points`, and has its frame. */
const isScreen = (scene: string): boolean => NAMES.every((other) => !scene.startsWith(`${other}-`));

/** What is checked in each look at a scene. */
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

/** Scenes by the first word of their names, a test each: so that Playwright starts and reports few tests. */
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
