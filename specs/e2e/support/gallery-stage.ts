/** A page of the gallery that shows and checks scenes in turn, so that nothing is loaded twice. */
import axe from 'axe-core';
import { type Browser, expect } from '@playwright/test';
import { bundleForPage } from './bundle-for-page.ts';
import { scaled } from '../../../tools/run/machine-factor.ts';
import type * as PageFaults from './page-faults.ts';

/** The globals that the tests add to the page of the gallery. */
declare const pageFaults: typeof PageFaults;

export interface Stage {
  /** Shows a scene in one look, and returns one line for each fault. */
  faults(look: PageFaults.Look, checks: readonly PageFaults.Check[]): Promise<string[]>;
  close(): Promise<void>;
}

const HEIGHT = 800;
/**
 * No rule can check text on a gradient. The page background gets one colour, the strongest of the gradient. Text
 * that is legible there is legible elsewhere.
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
        // The page is not visible. It has its full layout and is painted at a small scale, which takes half as long.
        scale: 0.1,
      });
      // Without frames, the check needs only the page.
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
