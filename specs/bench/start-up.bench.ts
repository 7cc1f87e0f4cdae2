/**
 * Measures the start of the built `ringback`: the help of each command, a dial to a port without a server, and a run of
 * one small scenario, as ratios to an empty Node process. `npx ringback --version` is a ratio to npx with an empty command. All run by
 * turns in one run, and the median of each counts, so other work on the machine affects all alike.
 *
 * Usage: start-up.bench.ts [rounds]. Exits 1 when a help, the run or npx is above its limit.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { printTable } from './print-table.ts';

const ROUNDS = Number(process.argv[2] ?? 9);
/** As a ratio to the start of an empty process, or of npx with an empty command. */
const LARGEST_RATIO = { help: 2, run: 5.8, npx: 1.5 } as const;
const MAIN = 'dist/cli/main.js';
const COMMANDS = readdirSync('cli/commands')
  .filter((file) => !/-(module|options?)\.ts$/.test(file))
  .map((file) => file.replace('.ts', ''));

/** A project with one command, which does nothing. */
const empty = mkdtempSync(join(tmpdir(), 'ringback-empty-'));
mkdirSync(join(empty, 'node_modules/.bin'), { recursive: true });
writeFileSync(join(empty, 'package.json'), '{ "private": true }\n');
writeFileSync(join(empty, 'node_modules/.bin/nothing'), '#!/usr/bin/env node\n');
chmodSync(join(empty, 'node_modules/.bin/nothing'), 0o755);

interface Start {
  readonly name: string;
  readonly words: readonly string[];
  readonly cwd?: string;
  /** The reference of the ratio. Absent for the two floors. */
  readonly floor?: string;
  readonly largest?: number;
}

const NODE = 'node -e 0';
const NPX = 'npx of an empty command';
const starts: readonly Start[] = [
  { name: NODE, words: [process.execPath, '-e', '0'] },
  ...[[], ...COMMANDS.map((name) => [name])].map((words) => ({
    name: ['ringback', ...words, '--help'].join(' '),
    words: [process.execPath, MAIN, ...words, '--help'],
    floor: NODE,
    largest: LARGEST_RATIO.help,
  })),
  {
    name: 'ringback dial, refused',
    words: [process.execPath, MAIN, 'dial', 'bob', '--server', 'http://127.0.0.1:9'],
    floor: NODE,
  },
  {
    name: 'ringback run of one file',
    words: [process.execPath, MAIN, 'run', 'fixtures/scenarios/direct/decline.yaml', '--out', join(empty, 'out')],
    floor: NODE,
    largest: LARGEST_RATIO.run,
  },
  { name: NPX, words: ['npx', 'nothing'], cwd: empty },
  { name: 'npx ringback --version', words: ['npx', 'ringback', '--version'], floor: NPX, largest: LARGEST_RATIO.npx },
];

function timed({ words: [command = '', ...args], cwd }: Start): number {
  const from = performance.now();
  const { error } = spawnSync(command, args, { stdio: 'ignore', cwd });
  if (error) throw error;
  return performance.now() - from;
}

const median = (times: readonly number[]): number =>
  times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)] ?? Number.NaN;

const times = new Map<string, number[]>(starts.map(({ name }) => [name, []]));
for (let round = 0; round < ROUNDS; round += 1) for (const start of starts) times.get(start.name)?.push(timed(start));
rmSync(empty, { recursive: true });

const of = (name: string) => median(times.get(name) ?? []);
const rows = starts.map(({ name, floor, largest }) => {
  const ratio = floor === undefined ? 1 : of(name) / of(floor);
  if (largest !== undefined && ratio > largest) process.exitCode = 1;
  return [name, `${Math.round(of(name))} ms`, ratio.toFixed(2), largest === undefined ? '' : `${largest}`];
});
printTable(['start', 'median', 'ratio', 'at most'], rows);
