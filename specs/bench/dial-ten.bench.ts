/**
 * Runs ten calls from `ringback dial` to `ringback answer` through a real exchange. Each must connect, with tone and
 * marker measured in both directions. Prints a line for each call and the medians. Exits 1 when a call failed.
 */
import type { CallReport } from '../../cli/headless/messages.ts';
import { createExchange } from '../wrtc/exchange.ts';
import { ringback, type Terminal } from '../wrtc/terminal.ts';

const CALLS = 10;

const exchange = await createExchange();
const environment = { RINGBACK_SERVER: exchange.url };
const connected: number[] = [];
const firstFrames: number[] = [];
let good = 0;

for (let call = 1; call <= CALLS; call += 1) {
  const answer = ringback(['answer', '--json'], environment);
  let dial: Terminal | null = null;
  try {
    await answer.saw(/waiting as bob/);
    dial = ringback(['dial', 'bob', '--for', '3s', '--json'], environment);
    const codes = [await dial.exited(), await answer.exited()];
    const faults = [
      ...(codes.every((code) => code === 0) ? [] : [`exit codes ${codes.join(' and ')}`]),
      ...faultsOf(dial.json(), 660),
      ...faultsOf(answer.json(), 440),
    ];
    const { timings } = dial.json();
    connected.push(timings.connected ?? Number.NaN);
    firstFrames.push(timings.firstFrame ?? Number.NaN);
    if (faults.length === 0) good += 1;
    console.log(
      `${call}: connected ${timings.connected} ms, first frame ${timings.firstFrame} ms  ${faults.join('; ') || 'ok'}`,
    );
  } catch (error) {
    console.log(`${call}: ${error instanceof Error ? error.message : String(error)}`);
  } finally {
    answer.kill();
    dial?.kill();
  }
}
await exchange.close();
console.log(`${good} of ${CALLS}; median connected ${median(connected)} ms, first frame ${median(firstFrames)} ms`);
process.exitCode = good === CALLS ? 0 : 1;

function faultsOf({ role, received }: CallReport, tone: number): string[] {
  return [
    ...(received.audio?.ok && received.audio.tone === tone
      ? []
      : [`the ${role} heard ${JSON.stringify(received.audio)}`]),
    ...(received.video?.ok ? [] : [`the ${role} saw ${JSON.stringify(received.video)}`]),
  ];
}

function median(values: number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;
}
