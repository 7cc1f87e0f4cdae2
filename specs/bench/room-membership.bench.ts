/**
 * Measures how fast the clients of rooms agree on who is in a room, over real sockets: one room of 100 participants
 * without media, and 50 rooms of 6. Ten clients a second leave their room, and ten enter it. Each change takes until the
 * last other participant has its event. The floor is the round trip of a heartbeat on the socket of the same client, in
 * the same run. Exits 1 when an event is missing, when a client has another list than the exchange, and above the limit.
 *
 * Usage: room-membership.bench.ts [seconds]
 */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { scaled } from '../../tools/run/machine-factor.ts';
import { printTable } from './print-table.ts';
import { measureMembership } from './room-membership/membership.ts';

const SECONDS = Number(process.argv[2] ?? 15);
/** The limit of the slowest of a hundred changes. */
const P99_MS = scaled(1_000);

const at = (values: readonly number[], share: number): number => {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.floor((sorted.length - 1) * share)] ?? Infinity;
};
const rowOf = (name: string, values: readonly number[], floor: readonly number[]): string[] => [
  name,
  String(values.length),
  ...[0.5, 0.95, 0.99].map((share) => at(values, share).toFixed(1)),
  (at(values, 0.5) / at(floor, 0.5)).toFixed(1),
];

const CASES = [
  ['one room of 100', 'large_room_for_audio_only', 1, 100],
  ['50 rooms of 6', 'small_room_for_audio_only', 50, 6],
] as const;
let isGood = true;
for (const [name, type, rooms, size] of CASES) {
  const server: ChildProcess = fork(new URL('./server-process.ts', import.meta.url), { execArgv: ['--import', 'tsx'] });
  const [{ url }] = (await once(server, 'message')) as [{ url: string }];
  const { floor, enters, exits, faults } = await measureMembership({ url, type, rooms, size, ms: SECONDS * 1_000 });
  server.disconnect();
  await once(server, 'exit');
  printTable(
    [`${name}, milliseconds`, 'changes', 'p50', 'p95', 'p99', 'times the floor at p50'],
    [
      rowOf('floor: heartbeat on the same socket', floor, floor),
      rowOf('a client enters, until all others know', enters, floor),
      rowOf('a client exits, until all others know', exits, floor),
    ],
  );
  console.log(`clients with a missing event or another list: ${faults}\n`);
  isGood &&= faults === 0 && Math.max(at(enters, 0.99), at(exits, 0.99)) <= P99_MS;
}
process.exitCode = isGood ? 0 : 1;
