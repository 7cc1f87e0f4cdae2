/** Draws docs/states.md from the transition tables of the library. */
import { CALL_TABLE } from '../../src/calls/direct-call/table.ts';
import type { Row, Table } from '../../src/calls/machine/machine.ts';
import { PEER_TABLE } from '../../src/calls/peer/table.ts';
import { ENDPOINT_TABLE } from '../../src/calls/room/endpoint-table.ts';
import { ROOM_SESSION_TABLE } from '../../src/calls/room/room-table.ts';
import { markdownTable } from './markdown-table.ts';

type AnyRow = Row<string, string, string> & { readonly result?: string };
type AnyTable = Table<string, string, string, string, string, AnyRow>;

const listed = <T>(oneOrMore: T | readonly T[] | undefined): readonly T[] =>
  oneOrMore === undefined ? [] : Array.isArray(oneOrMore) ? (oneOrMore as readonly T[]) : [oneOrMore as T];

/** Each arrow of the diagram once, with all the events that lead along it. */
function arrows({ rows }: AnyTable): string[] {
  const labels = new Map<string, string[]>();
  for (const { from, to, on, role } of rows) {
    if (to === undefined) continue;
    for (const state of listed(from)) {
      const arrow = `${state} --> ${to}`;
      const label = role === undefined ? on : `${on} (${listed(role).join(', ')})`;
      labels.set(arrow, [...(labels.get(arrow) ?? []), label]);
    }
  }
  return [...labels].map(([arrow, events]) => `    ${arrow}: ${events.join('<br/>')}`);
}

const diagram = (table: AnyTable): string[] => [
  '```mermaid',
  'stateDiagram-v2',
  `    [*] --> ${table.initial}`,
  ...arrows(table),
  ...table.final.map((state) => `    ${state} --> [*]`),
  '```',
];

const rowTable = ({ rows }: AnyTable): string[] =>
  markdownTable(
    ['Ids', 'From', 'On', 'Role', 'To', 'Effects, in order', 'Result'],
    rows.map(({ ids, from, on, role, to, effects, result }) => [
      ids.join(', '),
      listed(from).join(', '),
      on,
      listed(role).join(', '),
      to ?? '(stays)',
      listed(effects).join(', '),
      result ?? '',
    ]),
  );

function entries({ entry }: AnyTable): string[] {
  const rows = Object.entries(entry).map(([state, effects]) => [state, listed(effects).join(', ')]);
  return rows.length === 0
    ? []
    : [
        'Effects on entering a state, after the effects of the row:',
        '',
        ...markdownTable(['State', 'Effects'], rows),
        '',
      ];
}

function timers({ timers: named }: AnyTable): string[] {
  const rows = Object.entries(named).map(([name, { ids, during, repeats, raises }]) => [
    ids.join(', '),
    name,
    during.join(', '),
    repeats ? 'repeats' : 'once',
    raises,
  ]);
  const columns = ['Ids', 'Timer', 'Runs in', 'Fires', 'Raises'];
  return rows.length === 0 ? [] : ['Timers:', '', ...markdownTable(columns, rows), ''];
}

const section = (table: AnyTable, source: string): string[] => [
  `## ${table.name}`,
  '',
  `${table.states.length} states, ${table.events.length} events, ${table.rows.length} rows. Source: \`${source}\`.`,
  '',
  ...diagram(table),
  '',
  ...rowTable(table),
  '',
  ...entries(table),
  ...timers(table),
];

export const statesDocument = (): string =>
  [
    '# States',
    '',
    'Made from the transition tables by `npm run docs`: change the tables, not this file. Ids are those of',
    '`specs/requirements.yaml`. The machine refuses an event without a row in the current state, and logs an error.',
    '',
    ...section(CALL_TABLE, 'src/calls/direct-call/table.ts'),
    ...section(PEER_TABLE, 'src/calls/peer/table.ts'),
    ...section(ROOM_SESSION_TABLE, 'src/calls/room/room-table.ts'),
    ...section(ENDPOINT_TABLE, 'src/calls/room/endpoint-table.ts'),
  ]
    .join('\n')
    .trimEnd()
    .concat('\n');
