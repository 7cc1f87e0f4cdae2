/**
 * Every scene of the gallery can be used by whoever does not see it, does not see it well, or does not aim well: on a phone and on a
 * desktop, dark and light, in both languages.
 */
import axe from 'axe-core';
import { expect } from '@playwright/test';
import { scenes } from '../../src/app/gallery/scenes.ts';
import { bundleForPage } from './support/bundle-for-page.ts';
import { test as base } from './support/gallery-test.ts';
import type * as PageFaults from './support/page-faults.ts';

/** What the page of the gallery has beside the gallery. */
declare const pageFaults: typeof PageFaults;

interface Stage {
  /** Brings up a look at a scene, and says what is wrong with it: a line a fault. */
  faults(look: PageFaults.Look, checks: readonly PageFaults.Check[]): Promise<string[]>;
}

const PHONE = 390;
const NARROWEST = 320;
const DESKTOP = 1280;
const HEIGHT = 800;
/** No rule can judge words on a gradient. The page's own gets one colour: the plainest of it on a phone, its strongest elsewhere. */
const ONE_GROUND = `
  body { background: var(--bg) !important; }
  @media (width > 640px) { body { background: var(--bg-glow) !important; } }
`;

const test = base.extend<object, { stage: Stage }>({
  /** One page a worker: scenes take turns in it, and nothing is loaded twice. */
  stage: [
    async ({ browser, gallery }, use) => {
      // What shimmers takes the time of a machine without a graphics card.
      const context = await browser.newContext({ reducedMotion: 'reduce' });
      const page = await context.newPage();
      const window = await context.newCDPSession(page);
      await page.goto(gallery);
      await page.addStyleTag({ content: ONE_GROUND });
      await page.evaluate(axe.source);
      await page.evaluate(await bundleForPage(new URL('support/page-faults.ts', import.meta.url), 'pageFaults'));
      await use({
        async faults(look, checks) {
          await window.send('Emulation.setDeviceMetricsOverride', {
            width: look.width,
            height: HEIGHT,
            deviceScaleFactor: 1,
            mobile: false,
            // Nobody looks: laid out as large as it is, and painted small, which takes half as long.
            scale: 0.1,
          });
          // Without frames to look into, the page alone can be asked.
          expect(page.frames()).toHaveLength(1);
          return await page.evaluate(([asked, wanted]) => pageFaults.faults(asked, wanted), [look, checks] as const);
        },
      });
      await context.close();
    },
    { scope: 'worker' },
  ],
});

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
