/**
 * Compares the weight of the calling library with three others, all from the same bundler in the same run. Exits 1
 * when ours is heavier than its limit. 1 kB is 1000 bytes.
 */
import { fileURLToPath } from 'node:url';
import { LARGEST, LIBRARY, weigh } from '../../tools/package/weigh.ts';
import { printTable } from './print-table.ts';

const other = (name: string) => fileURLToPath(new URL(`others/${name}.ts`, import.meta.url));

const whole = await weigh(LIBRARY);
const withoutPako = await weigh(LIBRARY, ['pako']);
const weights = [
  ['ringback', whole],
  ['ringback without pako', withoutPako],
  ['livekit-client', await weigh(other('livekit-client'))],
  ['jssip', await weigh(other('jssip'))],
  ['peerjs', await weigh(other('peerjs'))],
] as const;

const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`;
printTable(
  ['bundle', 'minified', 'gzipped', 'to ours'],
  weights.map(([name, { minified, gzipped }]) => [
    name,
    kilobytes(minified),
    kilobytes(gzipped),
    (gzipped / whole.gzipped).toFixed(2),
  ]),
);
for (const [name, { gzipped }, most] of [
  ['ringback', whole, LARGEST.whole],
  ['ringback without pako', withoutPako, LARGEST.withoutPako],
] as const) {
  if (gzipped <= most) continue;
  console.error(`${name} may weigh ${kilobytes(most)}, and weighs ${kilobytes(gzipped)}`);
  process.exitCode = 1;
}
