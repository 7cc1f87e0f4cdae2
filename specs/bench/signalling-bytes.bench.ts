/**
 * Counts the bytes of signalling on the connections of clients, in both directions: a device that signs in and connects,
 * a complete video call of 17 commands, and the heartbeats of a device that waits, with the processor time of the server
 * for each. The bytes are those without TLS and without the headers of TCP and IP. docs/scale.md computes with the
 * figures.
 *
 * Usage: signalling-bytes.bench.ts [calls]
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import { CallPair } from '../../cli/load/call-pair.ts';
import { RawSocket } from '../../cli/load/raw-socket.ts';
import { nodeClock } from '../../sim/server/node-ports.ts';
import { CHANNEL_QUERY, HEADERS, PATHS } from '../../src/protocol/http.ts';
import { PROTOCOL_VERSION } from '../../src/protocol/limits.ts';
import { answerOf, json } from '../contract/exchange/terminals.ts';
import { buildServers } from './exchange/built.ts';
import { userIdOf } from './exchange/bench-users.ts';
import { printTable } from './print-table.ts';

const [CALLS = 200] = process.argv.slice(2).map(Number);
const BEATS = 5_000;

const files = await buildServers(['server']);
const child = fork(files.server, ['2']);
const [{ url }] = await once(child, 'message');
const total = { up: 0, down: 0 };
const proxy = createServer((client) => {
  const server = connect(Number(new URL(url).port), '127.0.0.1');
  client.on('data', (data) => {
    total.up += data.length;
    server.write(data);
  });
  server.on('data', (data) => {
    total.down += data.length;
    client.write(data);
  });
  for (const [one, other] of [
    [client, server],
    [server, client],
  ] as const) {
    one.on('close', () => other.destroy());
    one.on('error', () => undefined);
  }
});
proxy.listen(0, '127.0.0.1');
await once(proxy, 'listening');
const at = `127.0.0.1:${(proxy.address() as AddressInfo).port}`;

const cpuMs = async (): Promise<number> => {
  child.send('cpu');
  const [report] = await once(child, 'message');
  return report.cpuMs;
};

const rows: string[][] = [];
/** Counts what the work costs, and adds the row of one of `count` equal parts. */
async function counted(name: string, count: number, work: () => Promise<void>): Promise<void> {
  const before = { ...total, ms: await cpuMs() };
  await work();
  // What the server sends last may still be on its way.
  await new Promise<void>((resolve) => nodeClock.after(300, resolve));
  const [up, down] = [(total.up - before.up) / count, (total.down - before.down) / count];
  const micros = (((await cpuMs()) - before.ms) * 1_000) / count;
  rows.push([name, up.toFixed(0), down.toFixed(0), (up + down).toFixed(0), count === BEATS ? micros.toFixed(0) : '']);
}

async function channelOf(user: number): Promise<string> {
  const client = `client-${user}-00000000-0000-4000-8000`;
  const login = json({ app_id: 'ringback-demo', user_id: userIdOf(user) }, { [HEADERS.clientId]: client });
  const { body } = await answerOf(await fetch(`http://${at}/v1/users/${userIdOf(user)}/login`, login));
  const query = new URLSearchParams({
    [CHANNEL_QUERY.sessionToken]: body.sbcall_session_token,
    [CHANNEL_QUERY.clientId]: client,
    [CHANNEL_QUERY.version]: String(PROTOCOL_VERSION),
  });
  return `ws://${at}${PATHS.channel}?${query}`;
}

const urls: string[] = [];
await counted('a login over HTTP', 2, async () => {
  urls.push(await channelOf(0), await channelOf(1));
});
const pair = new CallPair(userIdOf(1), nodeClock);
await counted('the connection of a channel', 2, () => pair.open(urls[0] ?? '', urls[1] ?? ''));

const oneCall = (isAliveToo: boolean) =>
  new Promise<void>((resolve, reject) => {
    pair.dial({
      stepped: (step) => {
        if (step === 'connected' && isAliveToo) pair.alive();
        if (step === 'connected') pair.end('end');
        if (step === 'over') resolve();
      },
      refused: (command, code) => reject(new Error(`${command} was refused with ${code}`)),
      lost: (why) => reject(new Error(why)),
    });
  });
const calls = async (isAliveToo: boolean): Promise<void> => {
  for (let call = 0; call < CALLS; call += 1) await oneCall(isAliveToo);
};
await calls(false);
await counted('a video call, both sides', CALLS, () => calls(false));
await counted('the same, with one keep-alive of each side', CALLS, () => calls(true));
pair.close();

let replied = (): void => undefined;
const ignore = () => undefined;
const waiting = await RawSocket.open(await channelOf(0), () => replied(), ignore, nodeClock);
const beats = async (count: number): Promise<void> => {
  for (let beat = 0; beat < count; beat += 1) {
    const request_id = `request-${beat}`;
    const reply = new Promise<void>((resolve) => (replied = resolve));
    waiting.send(JSON.stringify({ version: 1, request_id, cmd: 'UTIL', type: 'heartbeat', payload: {} }));
    await reply;
  }
};
await beats(BEATS);
await counted('a heartbeat of a device, with its reply', BEATS, () => beats(BEATS));
waiting.close();

console.log(`${CALLS} calls of one pair, bytes`);
printTable(['what', 'to the server', 'to the clients', 'both', 'microseconds of the server'], rows);
child.disconnect();
proxy.close();
process.exit(0);
