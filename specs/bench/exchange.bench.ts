/**
 * Measures what complete video calls cost the exchange, from dial to end, without media: 17 commands, their replies and
 * their events. Servers run one after the other in child processes: a relay on `ws` without checks, which is the floor,
 * the exchange with its database in memory, and the exchange with billing on a SQLite file. The rounds alternate. The
 * cost is processor time of the server, so other work on the machine disturbs it little.
 *
 * Usage: exchange.bench.ts [pairs] [calls of a round] [rounds]
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CallListener, CallPair, type Step } from '../../cli/load/call-pair.ts';
import { nodeClock } from '../../sim/server/node-ports.ts';
import { answerOf, json } from '../contract/exchange/terminals.ts';
import { buildServers } from './exchange/built.ts';
import { userIdOf } from './exchange/bench-users.ts';
import type { ServerReport } from './exchange/served.ts';
import { printTable } from './print-table.ts';

const [PAIRS = 20, CALLS = 600, ROUNDS = 3] = process.argv.slice(2).map(Number);
/** The goals: the calls of a processor second, as a share of the relay's. */
const GOALS: Readonly<Record<string, number>> = { signalling: 0.5, product: 0.25 };
/** The goal for the heap of a live call, bytes. */
const HEAP_GOAL = 8 * 1024;
const WARM_UP_CALLS = 300;
/** The live calls whose heap is measured: few calls would be lost in the noise of the heap. */
const LIVE_CALLS = 400;
const OPEN_PAIRS = Math.max(PAIRS, LIVE_CALLS);

const folder = mkdtempSync(join(tmpdir(), 'ringback-bench-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

/** A server of the bench with connected pairs of users. */
class Served {
  readonly #child: ChildProcess;
  readonly #pairs: CallPair[];
  #url = '';
  /** Called at each step of a call. */
  #stepped: (pair: number, step: Step) => void = () => undefined;
  #failed: (why: Error) => void = () => undefined;
  readonly name: string;

  constructor(name: string, file: string, args: readonly string[]) {
    this.name = name;
    this.#child = fork(file, args, {
      execArgv: ['--expose-gc'],
    });
    this.#pairs = Array.from(
      { length: OPEN_PAIRS },
      (_, at) => new CallPair(userIdOf(2 * at + 1), nodeClock, () => this.#failed(new Error(`${name}: closed`))),
    );
  }

  async start(): Promise<void> {
    const [{ url }] = await once(this.#child, 'message');
    this.#url = url;
    for (const [at, pair] of this.#pairs.entries()) {
      await pair.open(await this.#channelOf(2 * at, 2 * at + 1), await this.#channelOf(2 * at + 1, 2 * at));
    }
  }

  async report(what: 'cpu' | 'heap'): Promise<ServerReport> {
    this.#child.send(what);
    const [report] = await once(this.#child, 'message');
    return report;
  }

  /** Makes so many calls: each pair begins the next one when its last has ended. */
  calls(count: number): Promise<void> {
    let [begun, ended] = [0, 0];
    return new Promise((resolve, reject) => {
      this.#failed = reject;
      const next = (at: number): void => {
        if (begun >= count) return;
        begun += 1;
        this.#pairs[at]?.dial(this.#listenerOf(at));
      };
      this.#stepped = (at, step) => {
        if (step === 'connected') this.#pairs[at]?.end('end');
        if (step !== 'over') return;
        ended += 1;
        if (ended === count) resolve();
        else next(at);
      };
      for (let at = 0; at < PAIRS; at += 1) next(at);
    });
  }

  /** Returns the heap of one live call, bytes. */
  async heapPerCall(): Promise<number> {
    const before = (await this.report('heap')).heapBytes;
    const connected = this.#allReach('connected');
    for (const [at, pair] of this.#pairs.entries()) pair.dial(this.#listenerOf(at));
    await connected;
    const after = (await this.report('heap')).heapBytes;
    const over = this.#allReach('over');
    for (const pair of this.#pairs) pair.end('end');
    await over;
    return (after - before) / OPEN_PAIRS;
  }

  /** Resolves when each pair has reached this step. */
  #allReach(wanted: Step): Promise<void> {
    let count = 0;
    return new Promise((resolve) => {
      this.#stepped = (_, step) => {
        if (step === wanted) count += 1;
        if (count === OPEN_PAIRS) resolve();
      };
    });
  }

  #listenerOf(at: number): CallListener {
    const failed = (why: string) => this.#failed(new Error(`${this.name}: ${why}`));
    return {
      stepped: (step) => this.#stepped(at, step),
      refused: (command, code) => failed(`${command} was refused with ${code}`),
      lost: failed,
    };
  }

  stop(): void {
    for (const pair of this.#pairs) pair.close();
    this.#child.disconnect();
  }

  async #channelOf(at: number, peer: number): Promise<string> {
    const ws = this.#url.replace('http', 'ws');
    const query = new URLSearchParams({ client_id: `client-${at}`, peer: `client-${peer}`, version: '1' });
    if (this.name === 'relay') return `${ws}/?${query}`;
    const userId = userIdOf(at);
    const login = json({ app_id: 'ringback-demo', user_id: userId }, { 'x-client-id': `client-${at}` });
    const { status, body } = await answerOf(await fetch(`${this.#url}/v1/users/${userId}/login`, login));
    if (status !== 200) throw new Error(`${this.name}: the login was refused with ${status}`);
    query.set('session_token', body.sbcall_session_token);
    return `${ws}/v1/realtime?${query}`;
  }
}

// Within the project, so that the built servers find its packages.
const built = mkdtempSync(join('node_modules', '.ringback-bench-'));
process.on('exit', () => rmSync(built, { recursive: true, force: true }));
const files = await buildServers(['relay', 'exchange-alone', 'server'], built);
const fileOf = (name: string): string => files.get(name) ?? '';
const users = String(2 * OPEN_PAIRS);
const servers = [
  new Served('relay', fileOf('relay'), []),
  new Served('signalling', fileOf('exchange-alone'), [users]),
  new Served('server', fileOf('server'), [users]),
  new Served('product', fileOf('server'), [users, join(folder, 'bench.db')]),
];
for (const server of servers) {
  await server.start();
  await server.calls(WARM_UP_CALLS);
}
const costs = new Map(servers.map(({ name }) => [name, [] as number[]]));
for (let round = 0; round < ROUNDS; round += 1) {
  for (const server of servers) {
    const before = await server.report('cpu');
    await server.calls(CALLS);
    costs.get(server.name)?.push(((await server.report('cpu')).cpuMs - before.cpuMs) / CALLS);
  }
}
const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
const floor = median(costs.get('relay') ?? []);
const heaps = new Map<string, number>();
for (const server of servers.slice(1)) heaps.set(server.name, await server.heapPerCall());
for (const server of servers) server.stop();

const rows = servers.map(({ name }) => {
  const cost = median(costs.get(name) ?? []);
  const heap = heaps.get(name);
  return [
    name,
    cost.toFixed(3),
    (1_000 / cost).toFixed(0),
    (floor / cost).toFixed(3),
    GOALS[name]?.toFixed(2) ?? '',
    heap === undefined ? '' : (heap / 1024).toFixed(1),
  ];
});
console.log(`${PAIRS} pairs at a time, ${ROUNDS} rounds of ${CALLS} calls for each server, medians`);
printTable(['server', 'ms of processor a call', 'calls a second', 'of the relay', 'goal', 'kB heap a live call'], rows);
const missed = servers.filter(({ name }) => floor / median(costs.get(name) ?? []) < (GOALS[name] ?? 0));
for (const { name } of missed) console.log(`${name} is below its goal`);
for (const [name, heap] of heaps)
  if (heap > HEAP_GOAL) console.log(`${name} uses more heap than ${HEAP_GOAL / 1024} kB`);
process.exit(missed.length > 0 ? 1 : 0);
