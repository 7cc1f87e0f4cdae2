/**
 * Measures whether the cost of a call grows with the devices that are connected, and with the calls that are live:
 * complete video calls of 20 pairs in an exchange with 100, 1,000 and 10,000 devices, and again while all other devices
 * are in a call. The cost is processor time of the server. Exits 1 when it grows by more than a quarter.
 *
 * Usage: exchange-scale.bench.ts [calls of a round] [rounds]
 */
import { BenchServer } from './exchange/bench-server.ts';
import { buildServers } from './exchange/built.ts';
import { median } from './median.ts';
import { printTable } from './print-table.ts';

const [CALLS = 2_000, ROUNDS = 3] = process.argv.slice(2).map(Number);
const DEVICES = [100, 1_000, 10_000];
const PAIRS = 20;
const WARM_UP_CALLS = 600;
/** The pings and the timers of the other devices are in the figure too. */
const GROWTH_GOAL = 1.25;

const files = await buildServers(['exchange-alone']);
interface Cost {
  readonly devices: number;
  readonly connect: number;
  readonly idle: number;
  readonly live: number;
  readonly kB: number;
}
const costs: Cost[] = [];
for (const devices of DEVICES) {
  const args = [String(devices)];
  const server = new BenchServer({
    name: `${devices} devices`,
    file: files['exchange-alone'],
    args,
    open: devices / 2,
  });
  await server.start();
  const connect = (await server.report('cpu')).cpuMs / devices;
  await server.calls(WARM_UP_CALLS, PAIRS);
  const { residentBytes } = await server.report('heap');
  const measure = async (): Promise<number> => {
    const rounds = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const before = await server.report('cpu');
      await server.calls(CALLS, PAIRS);
      rounds.push(((await server.report('cpu')).cpuMs - before.cpuMs) / CALLS);
    }
    return median(rounds);
  };
  const idle = await measure();
  await server.connectFrom(PAIRS);
  costs.push({ devices, connect, idle, live: await measure(), kB: residentBytes / devices / 1024 });
  server.stop();
}
const [first] = costs;
if (!first) throw new Error('nothing was measured');
const growth = (cost: number): string => (cost / first.idle).toFixed(2);
console.log(`${PAIRS} pairs at a time, ${ROUNDS} rounds of ${CALLS} calls, medians`);
printTable(
  [
    'devices',
    'ms to connect one, with the start',
    'ms a call, others idle',
    'growth',
    'ms a call, others in a call',
    'growth',
    'kB of the process a device',
  ],
  costs.map(({ devices, connect, idle, live, kB }) => [
    String(devices),
    connect.toFixed(3),
    idle.toFixed(3),
    growth(idle),
    live.toFixed(3),
    growth(live),
    kB.toFixed(1),
  ]),
);
const worst = Math.max(...costs.flatMap(({ idle, live }) => [idle, live])) / first.idle;
if (worst > GROWTH_GOAL) console.log(`the cost of a call grows by a factor of ${worst.toFixed(2)}`);
process.exit(worst > GROWTH_GOAL ? 1 : 0);
