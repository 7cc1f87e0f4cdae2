/**
 * `npm run readme-pictures`: draws the pictures of README.md again. They are the app with a call, taken in the gallery, and the
 * ladder of a run of the scenario that README.md prints.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { findScenarios } from '../../cli/scenarios/find-scenarios.ts';
import { ladderOf } from '../../src/trace/picture/ladder.ts';
import { svgOf } from '../../src/trace/picture/ladder-svg.ts';
import { runScenario } from '../../sim/scenario/run/run-scenario.ts';
import { virtualWorld } from '../../sim/scenario/virtual/virtual-world.ts';
import { withGallery } from './gallery-pictures.ts';
import { MACHINES } from '../../sim/scenario/trace/machines.ts';

const PICTURES = fileURLToPath(new URL('../../docs/pictures/', import.meta.url));
const SCENARIO = 'fixtures/scenarios/faults/missed-cancel.yaml';

async function takeAppPicture(): Promise<void> {
  await withGallery(async (open) => {
    const page = await open('docked-video&locale=en&theme=light', { viewport: { width: 1280, height: 800 } });
    await page.mouse.move(0, 0);
    await page.waitForFunction(() => [...document.querySelectorAll('video')].every(({ readyState }) => readyState > 1));
    const picture = await page.screenshot({ animations: 'disabled' });
    await sharp(picture).webp({ quality: 80 }).toFile(`${PICTURES}app.webp`);
  });
}

async function drawLadder(): Promise<void> {
  const { scenarios } = await findScenarios([SCENARIO]);
  const [scenario] = scenarios;
  if (!scenario) throw new Error(`${SCENARIO} holds no scenario.`);
  const [run] = await runScenario(scenario, { name: 'virtual', world: virtualWorld, stopwatch: () => 0 });
  if (run?.state !== 'passed') throw new Error(run?.failure?.message ?? `${SCENARIO} has no case.`);
  await writeFile(
    `${PICTURES}missed-cancel.svg`,
    svgOf(ladderOf(run.trace, MACHINES), { title: scenario.about ?? SCENARIO }),
  );
}

await mkdir(PICTURES, { recursive: true });
await drawLadder();
await takeAppPicture();
