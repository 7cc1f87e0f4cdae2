/** The checks of this machine: Node, the media engine, Chromium, ports, UDP and the clock. */
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Clock } from '../../src/common/clock.ts';
import { DEFAULT_APP_PORT, DEFAULT_HOST, DEFAULT_PORT } from '../../sim/server/defaults.ts';
import { CommandError } from '../command-error.ts';
import { engineEvent, type EngineEvent } from '../headless/engine-messages.ts';
import { HostProcess } from '../headless/host-process.ts';
import { launchChromium } from '../worlds/browser/browser.ts';
import { type Check, fail, type Finding, ok, skipped, warning, wordOf } from './check.ts';
import { holderOf } from './port-holder.ts';

/** The oldest supported version of Node: that of package.json. */
export const OLDEST_NODE = [20, 19] as const;

/** Returns the checks of this machine. */
export const machineChecks = (clock: Clock): Check[] => [
  { name: 'node', run: async () => judgeNode(process.versions.node) },
  { name: 'engine', limitMs: 30_000, run: (signal) => checkEngine(clock, signal) },
  { name: 'chromium', limitMs: 30_000, run: checkChromium },
  { name: `port ${DEFAULT_PORT}`, run: () => checkPort(DEFAULT_PORT, '--port') },
  { name: `port ${DEFAULT_APP_PORT}`, run: () => checkPort(DEFAULT_APP_PORT, '--app-port') },
  { name: 'udp', limitMs: 3_000, run: checkUdp },
  { name: 'clock', run: async () => judgeClock(readingsOf(clock)) },
];

/** Judges a version of Node. */
export function judgeNode(version: string): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isOld = major < OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor < OLDEST_NODE[1]);
  return isOld
    ? fail(`Node ${version} is too old`, `install Node ${OLDEST_NODE.join('.')} or later`)
    : ok(`Node ${version}`);
}

const REINSTALL = 'reinstall the packages: npm ci';

/** Loads the engine in a process of its own, and connects two peer connections on loopback. */
function checkEngine(clock: Clock, signal: AbortSignal): Promise<Finding> {
  return new Promise((resolve) => {
    const began = clock.now();
    const host = new HostProcess<EngineEvent>({
      module: 'engine-check',
      events: engineEvent,
      assignment: { type: 'connect' },
      begun: () => undefined,
      onEvent(event) {
        if (event.type === 'ready') return;
        host.kill();
        if (event.type === 'failed')
          resolve(fail(`the engine loads, and does not connect: ${event.message}`, REINSTALL));
        else resolve(ok(`wrtc loads and connects on loopback, in ${((clock.now() - began) / 1_000).toFixed(1)} s`));
      },
      clock,
    });
    signal.addEventListener('abort', () => host.kill(), { once: true });
    host.done.catch((error: unknown) =>
      resolve(fail(error instanceof CommandError ? error.message : wordOf(error), REINSTALL)),
    );
  });
}

/** Starts the Chromium of the browser world, and ends it. Without one, only the browser world is missing. */
async function checkChromium(signal: AbortSignal): Promise<Finding> {
  try {
    const browser = await launchChromium();
    const version = browser.version();
    await browser.close();
    return signal.aborted ? skipped('interrupted') : ok(`Chromium ${version} starts`);
  } catch (error) {
    if (!(error instanceof CommandError)) {
      return warning('Chromium was found, and does not start', 'start it by hand to see why, or set CHROMIUM_PATH');
    }
    const isNamed = Boolean(process.env['CHROMIUM_PATH']);
    return warning(
      `the browser world cannot run: ${isNamed ? 'CHROMIUM_PATH is wrong, or playwright-core' : 'Chromium or playwright-core'} is missing`,
      error.message.slice(error.message.indexOf(': ') + 2),
    );
  }
}

/** Checks whether a default port is free. A port that is taken names its program. */
async function checkPort(port: number, option: string): Promise<Finding> {
  const code = await listenOnce(port);
  if (code === null) return ok('free');
  if (code !== 'EADDRINUSE') return fail(`cannot be listened at (${code})`, `choose another port with ${option}`);
  const holder = await holderOf(port);
  return warning(
    `taken${holder === null ? '' : ` by ${holder}`}`,
    `stop that program, or choose another port with ${option}`,
  );
}

/** Listens at a port and stops. Returns null, or the code of the error. */
export async function listenOnce(port: number): Promise<string | null> {
  const server = createServer();
  try {
    server.listen(port, DEFAULT_HOST);
    await once(server, 'listening');
    return null;
  } catch (error) {
    return wordOf(error);
  } finally {
    server.close();
  }
}

/** Sends a packet to itself over loopback. */
async function checkUdp(signal: AbortSignal): Promise<Finding> {
  const socket = createSocket('udp4');
  try {
    socket.bind(0, DEFAULT_HOST);
    await once(socket, 'listening', { signal });
    const received = once(socket, 'message', { signal });
    socket.send('ringback', socket.address().port, DEFAULT_HOST);
    await received;
    return ok('packets pass on loopback');
  } catch (error) {
    return fail(`no packet passes on loopback (${wordOf(error)})`, 'allow UDP on 127.0.0.1 in the firewall');
  } finally {
    socket.close();
  }
}

/** Reads the monotonic clock often. */
const readingsOf = (clock: Clock): number[] => Array.from({ length: 1_000 }, () => clock.now());

/** Judges readings of the monotonic clock: none may be smaller than the former one. */
export function judgeClock(readings: readonly number[]): Finding {
  const goesBack = readings.some((reading, at) => at > 0 && reading < (readings[at - 1] ?? reading));
  return goesBack
    ? fail('the monotonic clock goes back', 'restart the machine, or select another clock source of its kernel')
    : ok('the monotonic clock only grows');
}
