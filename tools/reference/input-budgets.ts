/** Writes docs/input-budgets.md from the table of input budgets. */
import type { InputBudget, Kept, Lifetime, RateLimit } from '../../sim/budgets/input-budget.ts';
import { MEDIA_LIMITS, PACKET_RATES } from '../../sim/budgets/media-budgets.ts';
import { INPUT_BUDGETS } from '../../sim/budgets/table.ts';
import { markdownTable } from './markdown-table.ts';

const KIB = 1024;
const UNITS: readonly (readonly [string, number])[] = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];

function duration(seconds: number): string {
  const [unit, length] = UNITS.find(([, size]) => seconds % size === 0) ?? ['second', 1];
  const count = seconds / length;
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

function bytes(count: number): string {
  if (count === 0) return 'none';
  return count < KIB * KIB ? `${Math.round(count / KIB)} KiB` : `${Math.round((count / KIB / KIB) * 10) / 10} MiB`;
}

const lifetime = (time: Lifetime): string => (typeof time === 'string' ? time : `for ${duration(time.seconds)}`);

const limit = ({ by, points, seconds, of }: RateLimit): string =>
  `${points}${of === undefined ? '' : ` ${of}`} in ${duration(seconds)} by ${by}`;

const kept = ({ what, most, for: time }: Kept): string =>
  `${what}${most === null ? '' : `, ${most} at most`}, ${lifetime(time)}`;

const row = ([name, budget]: [string, InputBudget]): string[] => [
  `\`${name}\``,
  budget.sender,
  bytes(budget.maxBytes),
  budget.limits.map(limit).join('; '),
  budget.keeps.map(kept).join('; '),
];

export function inputBudgetsDocument(): string {
  return [
    '# Input budgets',
    '',
    'The size, the rate and the storage that the server permits for each input. Made from `sim/budgets` by `npm run docs`: change the',
    'sources, not this file. The server enforces these rows. It answers a refused request with status 429 and `Retry-After`. The code is',
    '`too_many` in the product and 1400999 in the calling service. Limits by address are 100 times higher for loopback addresses.',
    '',
    'A sender `visitor` has no session and sends a short-lived token. A `party` is a device that takes part in the call.',
    '',
    ...Object.entries(INPUT_BUDGETS).flatMap(([part, rows]) => [
      `## ${part}`,
      '',
      ...markdownTable(
        ['Input', 'Sender', 'Largest body', 'Rate limits', 'Stored data'],
        Object.entries(rows).map(row),
      ),
      '',
    ]),
    '## Media of rooms',
    '',
    'The offers and the UDP packets of one endpoint. The engine in the process of the exchange enforces these rows. A server of Janus has the',
    'limits of offers, and its own for packets ([why](adr/0028-room-media-engines.md)).',
    '',
    ...markdownTable(
      ['Input', 'In a second', 'At once', 'Above it'],
      Object.values(PACKET_RATES).map(({ what, perSecond, burst, above }) => [what, `${perSecond}`, `${burst}`, above]),
    ),
    '',
    ...markdownTable(
      ['Input', 'At most', 'Above it'],
      Object.values(MEDIA_LIMITS).map(({ what, most, above }) => [what, `${most}`, above]),
    ),
  ]
    .join('\n')
    .trimEnd()
    .concat('\n');
}
