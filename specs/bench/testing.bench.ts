/**
 * Opens and closes the worlds of tests, one after the other, and starts a call in some. Prints the time of each part.
 * The first world also starts the process of the worlds. Exits 1 when a later world takes longer than 300 ms to open.
 */
import { openWorld } from '../../cli/testing/testing.ts';
import { median } from './median.ts';
import { printTable } from './print-table.ts';

/** More than one process of worlds holds. */
const WORLDS = 50;
const LIMIT_MS = 300;

const times = { open: [] as number[], 'sign in': [] as number[], close: [] as number[] };
async function timed(part: keyof typeof times, run: () => Promise<unknown>): Promise<void> {
  const began = performance.now();
  await run();
  times[part].push(performance.now() - began);
}

for (let made = 0; made < WORLDS; made += 1) {
  let world: Awaited<ReturnType<typeof openWorld>> | undefined;
  await timed('open', async () => (world = await openWorld()));
  await timed('sign in', async () => world?.user('bob').signsIn());
  await timed('close', async () => world?.close());
}

printTable(
  ['part', 'first ms', 'median ms', 'slowest ms'],
  Object.entries(times).map(([part, [first = 0, ...later]]) => [
    part,
    ...[first, median(later), Math.max(...later)].map((ms) => ms.toFixed(0)),
  ]),
);
if (median(times.open.slice(1)) > LIMIT_MS) process.exitCode = 1;
