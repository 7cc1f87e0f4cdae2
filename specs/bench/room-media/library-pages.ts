import { chromium, type Page } from '@playwright/test';
import { CHROMIUM_ARGUMENTS, findChromium, HOW_TO_GET_CHROMIUM } from '../../../cli/worlds/browser/chromium.ts';
import { bundleForPage } from '../../e2e/support/bundle-for-page.ts';

/**
 * Opens a browser for pages at the origin of an exchange, so that their requests need no preflight. Each page has its own
 * context, and the exports of `script` as `name`.
 */
export async function openPages(
  origin: string,
  script: URL,
  name: string,
): Promise<{ open(): Promise<Page>; close(): Promise<void> }> {
  const executablePath = findChromium();
  if (!executablePath) throw new Error(HOW_TO_GET_CHROMIUM);
  const content = await bundleForPage(script, name);
  const args = [...CHROMIUM_ARGUMENTS, '--autoplay-policy=no-user-gesture-required'];
  const browser = await chromium.launch({ executablePath, args });
  const url = `${origin}/bench`;
  return {
    async open() {
      const context = await browser.newContext({ permissions: ['camera', 'microphone', 'local-network-access'] });
      const page = await context.newPage();
      page.on('pageerror', (error) => console.error(`a page failed: ${error.message}`));
      // tsx adds a helper to functions, also to those that run in a page.
      await page.addInitScript('globalThis.__name = (named) => named');
      await page.route(url, (route) =>
        route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>bench</title>' }),
      );
      await page.goto(url);
      await page.addScriptTag({ content });
      return page;
    },
    close: () => browser.close(),
  };
}
