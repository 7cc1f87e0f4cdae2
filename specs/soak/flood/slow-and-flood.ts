/**
 * L7: some clients never read, and others send without a pause. The server closes the flooders, bounds its memory, and
 * delivers every message of the other calls.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { Durations } from '../../../cli/load/durations.ts';
import { CONNECTION, MEDIA } from '../../../cli/load/call-frames.ts';
import { numberedUsers } from '../../../cli/load/users.ts';
import { scaled } from '../../../tools/run/machine-factor.ts';
import { type SoakServer, startSoakServer } from '../server/soak-server.ts';
import type { Soak, SoakRun } from '../soak-run.ts';
import { WireClient } from '../../contract/exchange/wire-client.ts';

interface FloodLoad {
  readonly calls: number;
  /** The calls whose callee never reads. */
  readonly slow: number;
  readonly flooders: number;
}

const LOADS: Readonly<Record<'short' | 'long', FloodLoad>> = {
  short: { calls: 15, slow: 4, flooders: 2 },
  long: { calls: 250, slow: 50, flooders: 5 },
};

/** The interval of messages in each call, within the budget of a device. Milliseconds. */
const EVERY_MS = 100;
/** The frames that a flooder sends at once, and the interval between. */
const FLOOD_FRAMES = 50;
const FLOOD_EVERY_MS = 10;
const CLOSE_POLICY = 1008;
const GROWTH_MIB = 64;
const MIB = 1024 * 1024;
const DIAL_TRIES = 20;
const DIAL_AGAIN_MS = 500;
/** A message must arrive within this time. Milliseconds. */
const ARRIVAL_MS = 30_000;

interface Call {
  readonly id: string;
  readonly caller: WireClient;
  readonly callee: WireClient;
  sent: number;
}

export const L7: SoakRun = {
  id: 'L7',
  about: '50 of 500 clients never read, and 5 flooders send 5,000 messages a second',
  minutes: 5,
  shortMs: 3_000,
  takesServers: false,
  async run(soak) {
    const load = LOADS[soak.isShort ? 'short' : 'long'];
    const users = numberedUsers('flood', 2 * load.calls + load.flooders).map(({ userId }) => userId);
    // The budgets of commands are those of a real server. Only the sign-ins of this machine have none.
    const server = await startSoakServer({ users, settings: {} });
    const clients: WireClient[] = [];
    try {
      for (const userId of users) clients.push(await WireClient.signIn(server.url, userId));
      const calls = await connectCalls(clients.slice(0, 2 * load.calls));
      const slow = calls.slice(0, load.slow);
      const others = calls.slice(load.slow);
      const quiet = await relay(soak, others, soak.loadMs / 4);
      const before = await server.report('heap');
      for (const { callee } of slow) callee.socket.pause();
      const stop = flood(clients.slice(2 * load.calls));
      const busy = await relay(soak, [...others, ...slow], soak.loadMs, others);
      stop();
      await judge(soak, {
        server,
        flooders: clients.slice(2 * load.calls),
        others,
        before: before.residentBytes,
        quiet,
        busy,
      });
    } finally {
      for (const { socket } of clients) socket.terminate();
      await server.kill();
    }
  },
};

/** Dials until the server takes the call: a server above its maximum rate refuses dials for a while. */
async function dialWhenCalm(caller: WireClient, payload: object): Promise<{ readonly call_id: string }> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await caller.send('CALL', 'dial', payload);
    } catch (error) {
      if (tries === DIAL_TRIES) throw error;
      await delay(DIAL_AGAIN_MS);
    }
  }
}

async function connectCalls(clients: readonly WireClient[]): Promise<Call[]> {
  const calls: Call[] = [];
  for (let at = 0; at + 1 < clients.length; at += 2) {
    const [caller, callee] = clients.slice(at, at + 2);
    if (!caller || !callee) continue;
    const payload = { callee_id: `flood-${at + 2}`, is_video_call: false, ...MEDIA };
    const { call_id: id } = await dialWhenCalm(caller, payload);
    await callee.send('CALL', 'accept', { call_id: id, ...MEDIA });
    // Without media the exchange ends a call after five minutes, before the end of the long form.
    for (const side of [caller, callee]) await side.send('SGNL', 'connected', { call_id: id, ...CONNECTION });
    calls.push({ id, caller, callee, sent: 0 });
  }
  return calls;
}

/** Sends a message in each call at each interval. Resolves with the times until the replies of the measured calls. */
async function relay(soak: Soak, calls: readonly Call[], ms: number, measured = calls): Promise<Durations> {
  const times = new Durations();
  const end = performance.now() + ms;
  let isEnabled = true;
  while (performance.now() < end && !soak.stop.aborted) {
    isEnabled = !isEnabled;
    for (const call of calls) {
      const { caller, callee, id } = call;
      const from = performance.now();
      const sent = caller.send('COMM', 'audio', { call_id: id, is_enabled: isEnabled });
      call.sent += 1;
      if (measured.includes(call))
        sent.then(
          () => times.record(performance.now() - from),
          () => undefined,
        );
      else sent.catch(() => undefined);
      // The silence limit of the exchange is longer than the interval of the alives of the library.
      if (call.sent % 100 === 0) for (const side of [caller, callee]) side.post('SGNL', 'alive', { call_id: id });
    }
    soak.point('Time of a command, ms', 'p99 so far', times.percentile(99));
    soak.say(`${times.count} messages of the measured calls`);
    await delay(EVERY_MS);
  }
  return times;
}

/** Floods with heartbeats until it is stopped or closed. */
function flood(flooders: readonly WireClient[]): () => void {
  const timer = setInterval(() => {
    for (const { socket, closeCode } of flooders) {
      if (closeCode !== null || socket.readyState !== socket.OPEN) continue;
      for (let at = 0; at < FLOOD_FRAMES; at += 1) {
        socket.send('{"version":1,"request_id":"flood","cmd":"UTIL","type":"heartbeat","payload":{}}');
      }
    }
  }, FLOOD_EVERY_MS);
  return () => clearInterval(timer);
}

interface Flooded {
  readonly server: SoakServer;
  readonly flooders: readonly WireClient[];
  readonly others: readonly Call[];
  readonly before: number;
  readonly quiet: Durations;
  readonly busy: Durations;
}

async function judge(soak: Soak, { server, flooders, others, before, quiet, busy }: Flooded): Promise<void> {
  const missing = () => others.filter(({ sent, callee }) => (callee.events.get('audio') ?? 0) < sent).length;
  const limit = performance.now() + scaled(ARRIVAL_MS);
  while ((missing() > 0 || flooders.some(({ closeCode }) => closeCode === null)) && performance.now() < limit)
    await delay(50);
  const codes = flooders.map(({ closeCode }) => closeCode);
  const lost = others.filter(({ caller, callee }) => (caller.closeCode ?? callee.closeCode) !== null).length;
  const refused = others.reduce((sum, { caller }) => sum + caller.refused.size, 0);
  const { residentBytes, faults } = await server.report('heap');
  const growth = (residentBytes - before) / MIB;
  soak.figure(
    'time of a command, p99',
    `${quiet.percentile(99).toFixed(1)} ms without abuse, ${busy.percentile(99).toFixed(1)} ms with it`,
  );
  soak.figure('memory of the server', `${growth.toFixed(1)} MiB more with the abuse`);
  soak.condition(
    `every flooder is closed with ${CLOSE_POLICY}`,
    codes.every((code) => code === CLOSE_POLICY),
    codes.join(', '),
  );
  soak.condition(
    'no channel of another call is closed, and no command of it refused',
    lost + refused === 0,
    `${lost} closed, ${refused} with refusals`,
  );
  soak.condition(
    'every message of the other calls arrives',
    missing() === 0,
    `${missing()} of ${others.length} calls miss messages`,
  );
  soak.condition(`the server needs at most ${GROWTH_MIB} MiB more`, growth <= GROWTH_MIB, `${growth.toFixed(1)} MiB`);
  soak.condition('the server reports no error', faults.length === 0, faults.join('; ') || 'none');
}
