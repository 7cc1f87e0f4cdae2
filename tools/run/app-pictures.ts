/**
 * `npm run app-pictures`: draws the icons of the app from src/app/public/favicon.svg, and takes the screenshots of its
 * manifest in the gallery. A browser shows the screenshots before the user installs the app.
 */
import { mkdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { withGallery } from './gallery-pictures.ts';

const PUBLIC = fileURLToPath(new URL('../../src/app/public/', import.meta.url));

async function drawIcons(): Promise<void> {
  const rounded = await readFile(`${PUBLIC}favicon.svg`, 'utf8');
  // A launcher masks the icon itself. The mark lies within the inner 80 % that no mask may cut.
  const square = rounded.replace(/ rx="\d+"/, '');
  if (square === rounded) throw new Error('favicon.svg has no round corners: change how this tool removes them');
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
    // The density at which the drawing of 32 units has the required number of pixels.
    await sharp(Buffer.from(svg), { density: (72 * size) / 32 })
      .png({ compressionLevel: 9, palette: true })
      .toFile(`${PUBLIC}icons/${name}.png`);
  }
}

async function takeScreenshots(): Promise<void> {
  await mkdir(`${PUBLIC}screenshots`, { recursive: true });
  await withGallery(async (open) => {
    for (const { name, width, height, deviceScaleFactor } of [
      { name: 'narrow', width: 390, height: 844, deviceScaleFactor: 2 },
      { name: 'wide', width: 1280, height: 800, deviceScaleFactor: 1 },
    ]) {
      const page = await open('home', { viewport: { width, height }, deviceScaleFactor });
      const picture = await page.screenshot({ animations: 'disabled' });
      await sharp(picture)
        .png({ compressionLevel: 9, palette: true, quality: 80 })
        .toFile(`${PUBLIC}screenshots/${name}.png`);
    }
  });
}

await drawIcons();
await takeScreenshots();
