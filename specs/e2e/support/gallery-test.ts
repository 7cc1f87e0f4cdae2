/** `test` with the gallery: every state of every screen in a browser, with nothing behind. */
import { blurNothing } from './blur-nothing.ts';
import { test as base } from './worker-test.ts';

export type Show = (scene: string, options?: { locale?: 'zh-Hant' | 'en'; theme?: 'dark' | 'light' }) => Promise<void>;

interface InTheGallery {
  readonly show: Show;
  /** Whether what lies around a moving picture is blurred, as it is for users. */
  readonly blurs: boolean;
}

export const test = base.extend<InTheGallery>({
  blurs: [false, { option: true }],
  show: async ({ gallery, page, blurs }, use) => {
    if (!blurs) await page.addInitScript(blurNothing);
    await use(async (scene, options = {}) => {
      const search = new URLSearchParams({ scene, ...options });
      await page.goto(`${gallery}?${search.toString()}`);
    });
  },
});
