/** Takes pictures of scenes of the gallery in Chromium. */
import { type BrowserContextOptions, chromium, type Page } from '@playwright/test';
import { fileURLToPath } from 'node:url';
import { createServer } from 'vite';
import { findChromium, HOW_TO_GET_CHROMIUM } from '../../cli/worlds/browser/chromium.ts';

const GALLERY = fileURLToPath(new URL('../../src/app/testing/gallery/vite.config.ts', import.meta.url));

/** Opens a scene, as `home` or `home&locale=en`, in a page of its own. Resolves when the scene is shown and at rest. */
export type OpenScene = (scene: string, options: BrowserContextOptions) => Promise<Page>;

/** Serves the gallery and starts Chromium while `take` runs. @throws Error when this machine has no Chromium. */
export async function withGallery(take: (open: OpenScene) => Promise<void>): Promise<void> {
  const executablePath = findChromium();
  if (!executablePath) throw new Error(HOW_TO_GET_CHROMIUM);
  const server = await createServer({ configFile: GALLERY, logLevel: 'error', server: { port: 0, strictPort: false } });
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
  try {
    await server.listen();
    const [gallery = ''] = server.resolvedUrls?.local ?? [];
    await take(async (scene, options) => {
      const page = await browser.newPage(options);
      await page.goto(`${gallery}?scene=${scene}`);
      await page.locator(`html[data-scene="${scene.split('&')[0]}"]`).waitFor({ state: 'attached' });
      await page.waitForLoadState('networkidle');
      return page;
    });
  } finally {
    await browser.close();
    await server.close();
  }
}
