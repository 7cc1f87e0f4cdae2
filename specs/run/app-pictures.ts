/**
 * `npm run app-pictures`: what is seen of the app before it is opened. Its icons, drawn from src/app/public/favicon.svg, and
 * the pictures of it that a browser shows to whoever is about to install it, taken in the gallery.
 */
import { mkdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { chromium } from '@playwright/test';
import sharp from 'sharp';
import { createServer } from 'vite';
import { findChromium, HOW_TO_GET_CHROMIUM } from '../../cli/worlds/browser/chromium.ts';

const PUBLIC = fileURLToPath(new URL('../../src/app/public/', import.meta.url));
const GALLERY = fileURLToPath(new URL('../../src/app/gallery/vite.config.ts', import.meta.url));

async function drawIcons(): Promise<void> {
  const rounded = await readFile(`${PUBLIC}favicon.svg`, 'utf8');
  // To the edges, for whoever cuts the corners itself; the mark lies well within the inner 80 % that no mask may touch.
  const square = rounded.replace(/ rx="\d+"/, '');
  if (square === rounded) throw new Error('favicon.svg has no round corners any more: say here how to take them away');
  const icons = [
    { name: 'icon-192', size: 192, svg: rounded },
    { name: 'icon-512', size: 512, svg: rounded },
    { name: 'maskable-192', size: 192, svg: square },
    { name: 'maskable-512', size: 512, svg: square },
    { name: 'apple-touch', size: 180, svg: square },
    { name: 'notification', size: 192, svg: rounded },
  ];
  await mkdir(`${PUBLIC}icons`, { recursive: true });
  for (const { name, size, svg } of icons) {
    // The density at which the drawing of 32 units has as many pixels as are wanted.
    await sharp(Buffer.from(svg), { density: (72 * size) / 32 })
      .png({ compressionLevel: 9, palette: true })
      .toFile(`${PUBLIC}icons/${name}.png`);
  }
}

async function takeScreenshots(): Promise<void> {
  const executablePath = findChromium();
  if (!executablePath) throw new Error(HOW_TO_GET_CHROMIUM);
  const server = await createServer({ configFile: GALLERY, logLevel: 'error', server: { port: 0, strictPort: false } });
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
  try {
    await server.listen();
    const [gallery = ''] = server.resolvedUrls?.local ?? [];
    await mkdir(`${PUBLIC}screenshots`, { recursive: true });
    for (const { name, width, height, deviceScaleFactor } of [
      { name: 'narrow', width: 390, height: 844, deviceScaleFactor: 2 },
      { name: 'wide', width: 1280, height: 800, deviceScaleFactor: 1 },
    ]) {
      const page = await browser.newPage({ viewport: { width, height }, deviceScaleFactor });
      await page.goto(`${gallery}?scene=home`);
      await page.locator('main img').first().waitFor();
      await page.waitForLoadState('networkidle');
      const picture = await page.screenshot({ animations: 'disabled' });
      await sharp(picture)
        .png({ compressionLevel: 9, palette: true, quality: 80 })
        .toFile(`${PUBLIC}screenshots/${name}.png`);
    }
  } finally {
    await browser.close();
    await server.close();
  }
}

await drawIcons();
await takeScreenshots();
