/** `npm run bench [name]`: runs the benches of specs/bench one after the other, or the one that is named. */
import { existsSync, readdirSync } from 'node:fs';
import { endAllOnInterrupt, runCommand, stopAfter } from './run-command.ts';

const FOLDER = 'specs/bench';
const LIMIT_MINUTES = 15;

const [named] = process.argv.slice(2);
const benches = existsSync(FOLDER) ? readdirSync(FOLDER).filter((name) => name.endsWith('.bench.ts')) : [];
const chosen = benches.filter((name) => named === undefined || name === `${named}.bench.ts`);
if (chosen.length === 0) {
  console.error(
    `no such bench: there are ${benches.map((name) => name.replace('.bench.ts', '')).join(', ') || 'none'}`,
  );
  process.exitCode = 1;
}
endAllOnInterrupt();
for (const name of chosen) {
  console.log(`== ${name.replace('.bench.ts', '')}`);
  const stop = stopAfter(LIMIT_MINUTES * 60_000, `it ran for ${LIMIT_MINUTES} minutes`);
  const { trouble } = await runCommand(['node_modules/.bin/tsx', `${FOLDER}/${name}`], { stop });
  if (!trouble) continue;
  console.error(`${name} ${trouble}`);
  process.exitCode = 1;
}
