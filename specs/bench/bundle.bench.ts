/**
 * Compares the weight of the calling library with three others, all from the same bundler in the same run. Exits 1
 * when ours is heavier than its limit. 1 kB is 1000 bytes.
 */
import { fileURLToPath } from 'node:url';
import { LARGEST, LIBRARY, weigh } from '../../tools/package/weigh.ts';
import { printTable } from './print-table.ts';

const other = (name: string) => fileURLToPath(new URL(`others/${name}.ts`, import.meta.url));

const ours = await weigh(LIBRARY);
const weights = [
  ['ringback', ours],
  ...Object.entries(ours.parts).map(([name, gzipped]) => [`its part ${name}`, { gzipped }] as const),
  ['livekit-client', await weigh(other('livekit-client'))],
  ['jssip', await weigh(other('jssip'))],
  ['peerjs', await weigh(other('peerjs'))],
] as const;

const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`;
printTable(
  ['bundle', 'gzipped', 'to ours'],
  weights.map(([name, { gzipped }]) => [name, kilobytes(gzipped), (gzipped / ours.gzipped).toFixed(2)]),
);
if (ours.gzipped > LARGEST) {
  console.error(`ringback may weigh ${kilobytes(LARGEST)}, and weighs ${kilobytes(ours.gzipped)}`);
  process.exitCode = 1;
}
