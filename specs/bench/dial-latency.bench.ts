/**
 * Measures the time from dial to ring at 70 % of the maximum rate of a server. First it looks for that rate: the
 * highest at which every call completes and the p99 stays below a bound, for a whole round. Then it holds 70 % of it, in
 * turns with a bare relay at the same rate, which is the floor. The main thread of the server has one core, and that of the generator
 * another.
 *
 * Nothing is subtracted: a time counts from the moment when the dial was due, so it includes the lateness of the
 * generator, which is printed too. "Waited" is the time in which other programs had the core of a process that had
 * work. "Stolen" is the time in which the host of a virtual machine ran others. The round with the least of both counts.
 *
 * Usage: dial-latency.bench.ts [server|product] [seconds of a round] [rounds] [rate instead of 70 % of the maximum]
 * `server` has its database in memory and calls are free, as in `ringback load`. `product` bills on a SQLite file.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildServers } from './exchange/built.ts';
import { CoreProcess } from './exchange/core-process.ts';
import type { DialReport, GeneratorOrder } from './exchange/dial-generator.ts';
import { stolenMs } from './exchange/stolen-time.ts';
import { printTable } from './print-table.ts';

// V8 collects the old generation about twice a minute. A shorter round has one collection or none, by chance.
const [WHICH = 'server', SECONDS = '60', ROUNDS = '3', RATE] = process.argv.slice(2);
/** The goal for the p99 of dial to ring, milliseconds. */
const GOAL_MS = 10;
const SHARE = 0.7;
/** Above the maximum rate a queue grows, and the p99 of a step exceeds this. Milliseconds. */
const BOUND_MS = 100;
const STEP_MS = 15_000;
const FIRST_RATE = 100;
const GROWTH = 1.3;
/** The search ends when the rates below and above the maximum differ by less than this factor. */
const CLOSE = 1.06;
const MOST_RATE = 3_000;
/**
 * The pairs for each call a second: a call lasts one second and its set-up. Many are spare. Without spare pairs, a pause
 * of the server lets all pairs dial at the same time. They then wait for each other in every later second, and the rate
 * stays below the planned one for good.
 */
const PAIRS = 3;
/** A round in which the processes waited longer for their cores was disturbed. Milliseconds of a second. */
const DISTURBED = 50;
/** The most runs of one step of the search, and of a whole round. One that other programs disturb runs again. */
const TRIES = { step: 5, round: 2 };
const CORES = availableParallelism();

/** The results of calls at a rate. Times of processes are milliseconds of a second. */
interface Round extends DialReport {
  readonly name: string;
  readonly rate: number;
  readonly serverWorked: number;
  readonly serverWaited: number;
  readonly generatorWaited: number;
  readonly stolen: number;
}

/** A server with its generator. */
class Loaded {
  readonly #name: string;
  readonly #server: CoreProcess;
  readonly #generator = new CoreProcess(files['dial-generator'], [], 1 % CORES);
  readonly #url: Promise<{ readonly url: string }>;

  constructor(name: string, file: string, args: readonly string[]) {
    this.#name = name;
    this.#server = new CoreProcess(file, args, 0);
    this.#url = this.#server.heard();
  }

  async run(rate: number, forMs: number): Promise<Round> {
    const { url } = await this.#url;
    const pairs = Math.ceil(rate * PAIRS) + 20;
    await this.#order({ kind: 'open', server: url, hasUsers: this.#name !== 'relay', pairs });
    const [server, generator, stolen] = [this.#server.time(), this.#generator.time(), stolenMs()];
    const report = await this.#order<DialReport>({ kind: 'run', rate, forMs });
    const inSecond = (ms: number) => (ms * 1_000) / forMs;
    return {
      ...report,
      name: this.#name,
      rate,
      serverWorked: inSecond(this.#server.time().worked - server.worked),
      serverWaited: inSecond(this.#server.time().waited - server.waited),
      generatorWaited: inSecond(this.#generator.time().waited - generator.waited),
      stolen: inSecond(stolenMs() - stolen),
    };
  }

  stop(): void {
    this.#generator.stop();
    this.#server.stop();
  }

  #order<Answer>(order: GeneratorOrder): Promise<Answer> {
    return this.#generator.ask(order);
  }
}

const waited = ({ serverWaited, generatorWaited, stolen }: Round): number => serverWaited + generatorWaited + stolen;
const holds = ({ ring, calls, completed }: Round): boolean => ring.p99 <= BOUND_MS && completed === calls;

/** Runs a step of the search until it holds, or fails without a disturbance. */
async function step(loaded: Loaded, rate: number, forMs = STEP_MS, most = TRIES.step): Promise<Round> {
  let round = await loaded.run(rate, forMs);
  for (let tries = 1; tries < most && !holds(round) && waited(round) > DISTURBED; tries += 1)
    round = await loaded.run(rate, forMs);
  return round;
}

/** Returns the highest rate that the server holds for a whole round, at most the one that it holds for a step. */
async function sustained(loaded: Loaded, most: number): Promise<number> {
  for (let rate = most; rate >= FIRST_RATE; rate = Math.round(rate / CLOSE)) {
    const round = await step(loaded, rate, Number(SECONDS) * 1_000, TRIES.round);
    print([round]);
    if (holds(round)) return rate;
  }
  throw new Error(`${FIRST_RATE} dials a second are too many: the machine is too slow or too busy`);
}

/** Returns the highest rate that the server holds for a step. A step may have no collection of the old generation. */
async function maximumOfSteps(loaded: Loaded): Promise<number> {
  let [works, fails] = [0, Infinity];
  for (let rate = FIRST_RATE; rate <= MOST_RATE && fails / works > CLOSE;) {
    const round = await step(loaded, rate);
    print([round]);
    if (holds(round)) works = rate;
    else if (works === 0) throw new Error(`${rate} dials a second are too many: the machine is too slow or too busy`);
    else fails = rate;
    rate = Math.round(fails === Infinity ? rate * GROWTH : Math.sqrt(works * fails));
  }
  return works;
}

function print(rounds: readonly Round[]): void {
  const ms = (value: number): string => value.toFixed(value < 10 ? 2 : 1);
  const head =
    'dials/s,median,p90,p99,p99.9,longest,lag p99,lag longest,not completed,worked,waited,generator waited,stolen';
  printTable(
    ['server', ...head.split(',')],
    rounds.map((round) => [
      round.name,
      round.rate.toFixed(0),
      ...[round.ring.p50, round.ring.p90, round.ring.p99, round.ring['p99.9'], round.ring.max].map(ms),
      ...[round.lag.p99, round.lag.max].map(ms),
      String(round.calls - round.completed),
      ...[round.serverWorked, round.serverWaited, round.generatorWaited, round.stolen].map((value) => value.toFixed(0)),
    ]),
  );
}

const best = (rounds: readonly Round[], of: string): Round | undefined =>
  rounds.filter(({ name }) => name === of).toSorted((one, other) => waited(one) - waited(other))[0];

const folder = mkdtempSync(join(tmpdir(), 'ringback-bench-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const files = await buildServers(['relay', 'server', 'dial-generator']);
const users = String(2 * (MOST_RATE * PAIRS + 20));
const loaded = new Loaded(WHICH, files.server, WHICH === 'product' ? [users, join(folder, 'bench.db')] : [users]);
const relay = new Loaded('relay', files.relay, []);
console.log('times in milliseconds; work and waits in milliseconds of a second');
// The compiler of V8 needs some calls first.
await loaded.run(FIRST_RATE, STEP_MS);
await relay.run(FIRST_RATE, STEP_MS);
const maximum = RATE === undefined ? await sustained(loaded, await maximumOfSteps(loaded)) : null;
const rate = Math.round(maximum === null ? Number(RATE) : SHARE * maximum);
if (maximum !== null) console.log(`the maximum of ${WHICH} is ${maximum} dials a second`);
const rounds: Round[] = [];
for (let round = 0; round < Number(ROUNDS); round += 1)
  for (const one of [relay, loaded]) {
    const result = await one.run(rate, Number(SECONDS) * 1_000);
    print([result]);
    rounds.push(result);
  }
relay.stop();
loaded.stop();

const chosen = ['relay', WHICH].flatMap((name) => best(rounds, name) ?? []);
console.log(`\nthe rounds with the least waiting; load of the machine ${loadavg()[0]?.toFixed(1)}`);
print(chosen);
const p99 = best(rounds, WHICH)?.ring.p99 ?? Infinity;
if (chosen.some((round) => waited(round) > DISTURBED)) console.log('other programs disturbed every round');
if (p99 > GOAL_MS) console.log(`the p99 is above ${GOAL_MS} ms`);
process.exit(p99 > GOAL_MS ? 1 : 0);
