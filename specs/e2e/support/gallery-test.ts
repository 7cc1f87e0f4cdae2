/** `test` with the gallery: every state of every screen in a browser, with nothing behind. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { test as base } from '@playwright/test';
import { preview } from 'vite';
import { blurNothing } from './blur-nothing.ts';
import { openStage, type Stage } from './gallery-stage.ts';

const configFile = fileURLToPath(new URL('../../../src/app/gallery/vite.config.ts', import.meta.url));
const GALLERY = fileURLToPath(new URL('../../../dist/gallery', import.meta.url));

export type Show = (scene: string, options?: { locale?: 'zh-Hant' | 'en'; theme?: 'dark' | 'light' }) => Promise<void>;

interface InTheGallery {
  readonly show: Show;
  /** Whether what lies around a moving picture is blurred, as it is for people. */
  readonly blurs: boolean;
}
interface OfWorker {
  /** Where the built gallery is served. */
  readonly gallery: string;
  readonly stage: Stage;
}

/* oxlint-disable no-empty-pattern -- Playwright wants its fixtures destructured, also when there are none */
export const test = base.extend<InTheGallery, OfWorker>({
  gallery: [
    async ({}, use) => {
      if (!existsSync(`${GALLERY}/index.html`)) {
        throw new Error('The gallery is not built, and these tests look at it: run "npm run build" first.');
      }
      const server = await preview({
        configFile,
        logLevel: 'error',
        preview: { port: 0, host: '127.0.0.1' },
      });
      const address = server.httpServer.address();
      if (address === null || typeof address === 'string') throw new Error('The gallery has no port');
      await use(`http://127.0.0.1:${address.port}`);
      await server.close();
    },
    { scope: 'worker' },
  ],
  stage: [
    async ({ browser, gallery }, use) => {
      const stage = await openStage(browser, gallery);
      await use(stage);
      await stage.close();
    },
    { scope: 'worker' },
  ],
  blurs: [false, { option: true }],
  show: async ({ gallery, page, blurs }, use) => {
    if (!blurs) await page.addInitScript(blurNothing);
    await use(async (scene, options = {}) => {
      const search = new URLSearchParams({ scene, ...options });
      await page.goto(`${gallery}/?${search.toString()}`);
    });
  },
});
