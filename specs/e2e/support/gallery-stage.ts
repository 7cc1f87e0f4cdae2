/** A page of the gallery in which scenes take turns, and are looked at: nothing is loaded twice. */
import axe from 'axe-core';
import { type Browser, expect } from '@playwright/test';
import { bundleForPage } from './bundle-for-page.ts';
import { scaled } from '../../../tools/run/machine-factor.ts';
import type * as PageFaults from './page-faults.ts';

/** What the page of the gallery has beside the gallery. */
declare const pageFaults: typeof PageFaults;

export interface Stage {
  /** Brings up a look at a scene, and says what is wrong with it: a line a fault. */
  faults(look: PageFaults.Look, checks: readonly PageFaults.Check[]): Promise<string[]>;
  close(): Promise<void>;
}

const HEIGHT = 800;
/**
 * No rule can judge words on a gradient. The page's own gets one colour, its strongest: words that are legible there
 * are so elsewhere.
 */
const ONE_GROUND = 'body { background: var(--bg-glow) !important; }';

export async function openStage(browser: Browser, gallery: string): Promise<Stage> {
  const context = await browser.newContext();
  const page = await context.newPage();
  const window = await context.newCDPSession(page);
  await page.goto(gallery);
  await page.addStyleTag({ content: ONE_GROUND });
  await page.evaluate(axe.source);
  await page.evaluate(await bundleForPage(new URL('page-faults.ts', import.meta.url), 'pageFaults'));
  return {
    async faults(look, checks) {
      await window.send('Emulation.setDeviceMetricsOverride', {
        width: look.width,
        height: HEIGHT,
        deviceScaleFactor: 1,
        mobile: false,
        // The page is not visible: it has its full layout, and is painted small, which takes half as long.
        scale: 0.1,
      });
      // Without frames to look into, the page alone can be asked.
      expect(page.frames()).toHaveLength(1);
      return await page.evaluate(([asked, wanted, patienceMs]) => pageFaults.faults(asked, wanted, patienceMs), [
        look,
        checks,
        scaled(15_000),
      ] as const);
    },
    close: () => context.close(),
  };
}
