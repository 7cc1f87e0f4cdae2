/**
 * Measures live calls while an attacker sends every hostile request of the calling service and of the product: lost
 * calls, the time of a relayed message with and without the abuse, and the memory afterwards. Exits 1 above a limit.
 *
 * Usage: abuse.bench.ts
 */
import { fork, type ChildProcess } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { Terminal } from '../contract/exchange/terminals.ts';
import { scaled } from '../../tools/run/machine-factor.ts';
import { printTable } from './print-table.ts';

const CALLS = 20;
/** The interval of messages in each call, and the duration of the run without abuse. Milliseconds. */
const EVERY_MS = 100;
const QUIET_MS = 10_000;
/** The limits. */
const P99_MS = scaled(50);
const GROWTH_MIB = 32;
const MIB = 1024 * 1024;
const AV = { audio: true, video: true };

const child = (name: string, ...args: string[]): ChildProcess =>
  fork(new URL(name, import.meta.url), args, { execArgv: ['--import', 'tsx'] });

/** Waits for the next message of a child process. */
function nextMessage<T>(from: ChildProcess): Promise<T> {
  return new Promise((resolve, reject) => {
    from.once('message', (message) => resolve(message as T));
    from.once('exit', (code) => reject(new Error(`a child process ended with ${code}`)));
  });
}

interface LiveCall {
  readonly callId: string;
  readonly caller: Terminal;
  readonly callee: Terminal;
}

async function openCall(url: string, at: number): Promise<LiveCall> {
  const caller = await Terminal.signIn({ url }, 'alice', `alice-${at}`);
  const callee = await Terminal.signIn({ url }, 'bob', `bob-${at}`);
  const dial = { callee_id: 'bob', is_video_call: true, constraints: AV, capabilities: [] };
  const callId: string = (await caller.send('dial', dial)).payload.call_id;
  const { error } = await callee.send('accept', { call_id: callId, constraints: AV, capabilities: [] });
  if (error) throw new Error(`a call was not accepted: ${JSON.stringify(error)}`);
  return { callId, caller, callee };
}

/**
 * Relays messages in each call until `over` resolves. Resolves with the time of each message, in milliseconds,
 * sorted.
 */
async function relay(calls: readonly LiveCall[], over: Promise<unknown>): Promise<number[]> {
  const took: number[] = [];
  const goesOn = { value: true };
  const stop = () => void (goesOn.value = false);
  over.then(stop, stop);
  await Promise.all(
    calls.map(async ({ callId: call_id, caller, callee }) => {
      for (let isEnabled = false; goesOn.value; isEnabled = !isEnabled) {
        const from = performance.now();
        const arrived = new Promise<void>((resolve) => {
          const onMessage = (data: unknown): void => {
            if (!String(data).includes('"type":"audio"')) return;
            callee.socket.off('message', onMessage);
            resolve();
          };
          callee.socket.on('message', onMessage);
        });
        caller.socket.send(JSON.stringify(caller.frame('audio', { call_id, is_enabled: isEnabled })));
        callee.socket.send(JSON.stringify(callee.frame('alive', { call_id })));
        await Promise.race([arrived, delay(scaled(10_000))]);
        took.push(performance.now() - from);
        await delay(EVERY_MS);
      }
    }),
  );
  return took.toSorted((one, other) => one - other);
}

const timeAt = (sorted: readonly number[], share: number) =>
  sorted[Math.floor((sorted.length - 1) * share)] ?? Infinity;

const server = child('./server-process.ts');
const { url } = await nextMessage<{ url: string }>(server);
const held = async (): Promise<number> => {
  server.send('memory');
  return (await nextMessage<{ heldBytes: number }>(server)).heldBytes / MIB;
};

const calls: LiveCall[] = [];
for (let call = 0; call < CALLS; call += 1) calls.push(await openCall(url, call));
const quiet = await relay(calls, delay(QUIET_MS));
/** Sends every hostile request once. */
async function abuse() {
  const attack = child('./abuse-attack.ts', url);
  const report = nextMessage<{ fired: number; statuses: [number, number][] }>(attack);
  return { took: await relay(calls, report), report: await report };
}
// Stored data has bounds: the first run fills them, and the second replaces its data.
await abuse();
const before = await held();
const { took, report } = await abuse();
const after = await held();
const listed = await Promise.all(calls.map(({ callId, caller }) => caller.send('alive', { call_id: callId })));
const lost = listed.filter(({ error }) => error !== undefined).length;

const rowOf = (name: string, sorted: readonly number[]) => [
  name,
  String(sorted.length),
  ...[0.5, 0.99, 1].map((share) => timeAt(sorted, share).toFixed(1)),
];
printTable(
  ['', 'messages', 'p50 ms', 'p99 ms', 'longest ms'],
  [rowOf('without abuse', quiet), rowOf('with abuse', took)],
);
const p99 = timeAt(took, 0.99);
console.log(
  `${report.fired} hostile requests: ${report.statuses.map(([status, count]) => `${count} × ${status}`).join(', ')}`,
);
console.log(`calls lost: ${lost} of ${CALLS} (bound 0)`);
console.log(
  `p99 of a relayed message: ${p99.toFixed(1)} ms (bound ${P99_MS}), ${(p99 / timeAt(quiet, 0.99)).toFixed(1)} times as without abuse`,
);
console.log(`memory: ${before.toFixed(1)} MiB before, ${after.toFixed(1)} MiB after (bound +${GROWTH_MIB})`);
if (lost > 0 || p99 > P99_MS || after - before > GROWTH_MIB) process.exitCode = 1;
server.disconnect();
process.exit();
