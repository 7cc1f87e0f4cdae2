/**
 * Compares the gzipped size of the built app with its limits. 1 kB is 1000 bytes. `npm run build` first. Exits 1
 * above a limit.
 */
import { APP_LIMITS, weighApp } from '../../tools/package/weigh-app.ts';
import { printTable } from './print-table.ts';

const { first, signedIn, calling, screens } = weighApp();
const rows: [string, number, number | null][] = [
  ['before the first picture', first, APP_LIMITS.first],
  ['with the login', signedIn, null],
  ['the calling library, after it', calling, APP_LIMITS.calling],
  ...[...screens]
    .toSorted(([, one], [, other]) => other - one)
    .map(([name, bytes]): [string, number, number] => [
      name,
      bytes,
      name === 'chat' ? APP_LIMITS.chat : APP_LIMITS.screen,
    ]),
];
const kilobytes = (bytes: number) => (bytes / 1000).toFixed(1);
printTable(
  ['kB of JavaScript', 'gzipped', 'limit', 'to it'],
  rows.map(([name, bytes, limit]) => [
    name,
    kilobytes(bytes),
    limit === null ? '' : kilobytes(limit),
    limit === null ? '' : (bytes / limit).toFixed(2),
  ]),
);
if (rows.some(([, bytes, limit]) => limit !== null && bytes > limit)) process.exitCode = 1;
