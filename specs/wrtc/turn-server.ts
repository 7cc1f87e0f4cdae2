/** A coturn for tests: a process with its own port and secret. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { scaled } from '../../tools/run/machine-factor.ts';
import { freePort } from '../unit/support/free-port.ts';

/** The reason why tests of coturn are skipped. Undefined when they run. */
export const NO_COTURN = spawnSync('turnserver', ['--version']).error
  ? 'coturn is not installed: apt-get install coturn'
  : undefined;

export interface TestTurn {
  readonly url: string;
  /** Starts the process. @param secret - that it shares with an exchange. */
  start(secret: string): Promise<void>;
  stop(): Promise<void>;
}

/** Chooses a port for a coturn, which `start` starts. */
export async function testTurn(): Promise<TestTurn> {
  const port = await freePort();
  let child: ChildProcess | null = null;
  const stop = async (): Promise<void> => {
    const running = child;
    child = null;
    if (!running || running.exitCode !== null) return;
    running.kill('SIGKILL');
    await once(running, 'exit');
  };
  return {
    url: `turn:127.0.0.1:${port}`,
    stop,
    async start(secret) {
      const settings = [
        ...['-n', '--listening-ip', '127.0.0.1', '--relay-ip', '127.0.0.1', '--listening-port', String(port)],
        ...['--use-auth-secret', '--static-auth-secret', secret, '--realm', 'relay.test', '--no-cli', '--no-tls'],
        ...['--no-dtls', '--log-file', 'stdout', '--pidfile', '', '--min-port', '26000', '--max-port', '26100'],
      ];
      child = spawn('turnserver', settings, { stdio: 'ignore' });
      for (const end = performance.now() + scaled(10_000); performance.now() < end;) {
        if (await accepts(port)) return;
        await delay(50);
      }
      await stop();
      throw new Error('coturn did not start');
    },
  };
}

/** Returns whether a process listens at a port of loopback. */
function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const end = (isOpen: boolean): void => {
      socket.destroy();
      resolve(isOpen);
    };
    socket.once('connect', () => end(true));
    socket.once('error', () => end(false));
  });
}
