/** A Janus server for tests: a process with its own folder and ports, without rights. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { scaled } from '../../tools/run/machine-factor.ts';
import { freePort } from '../unit/support/free-port.ts';

/** The reason why tests of Janus are skipped. Undefined when they run. */
export const NO_JANUS = spawnSync('janus', ['--version']).error
  ? 'Janus is not installed: apt-get install janus'
  : undefined;

/** The first port for media, and the number of ports of each server. */
const FIRST_PORT = 20_000;
const PORTS = 5_000;

/** Returns the number of the server that made an answer. */
export function serverOf(sdp: string): number {
  const port = Number(/^a=candidate:\S+ 1 udp \d+ \S+ (\d+)/im.exec(sdp)?.[1]);
  return Math.floor((port - FIRST_PORT) / PORTS);
}

export interface TestJanus {
  readonly url: string;
  /** The process. */
  readonly pid: number;
  /** Kills the process, as the end of its machine would. */
  kill(): Promise<void>;
  /** Starts the process again with the same ports. */
  restart(): Promise<void>;
  /** Stops the process from answering, without its end, or lets it go on. */
  freeze(isFrozen: boolean): void;
  /** Kills the process and removes its folder. */
  dispose(): Promise<void>;
}

/** Starts Janus. Each server of a test has another `number`, from 0. @param secret - of its API. */
export async function startJanus(number = 0, secret?: string): Promise<TestJanus> {
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'ringback-janus-'));
  chmodSync(folder, 0o755);
  const from = FIRST_PORT + number * PORTS;
  const files = {
    'janus.jcfg': `general: {
  debug_level = 4
  debug_colors = false
  ${secret === undefined ? '' : `api_secret = "${secret}"`}
}
media: { rtp_port_range = "${from}-${from + PORTS - 1}" }
plugins: { disable = "libjanus_textroom.so,libjanus_nosip.so,libjanus_duktape.so,libjanus_videocall.so,libjanus_voicemail.so,libjanus_sip.so,libjanus_echotest.so,libjanus_recordplay.so,libjanus_lua.so,libjanus_streaming.so" }
loggers: { disable = "libjanus_jsonlog.so" }
transports: { disable = "libjanus_http.so,libjanus_pfunix.so,libjanus_mqtt.so,libjanus_nanomsg.so,libjanus_rabbitmq.so" }
events: { broadcast = false }
`,
    'janus.transport.websockets.jcfg': `general: {
  json = "plain"
  ws = true
  ws_port = ${port}
  ws_ip = "127.0.0.1"
}
`,
    'janus.plugin.videoroom.jcfg': 'general: {}\n',
    'janus.plugin.audiobridge.jcfg': 'general: {}\n',
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text, { mode: 0o644 });
  let child = await run(folder, port);
  const kill = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  };
  return {
    url: `ws://127.0.0.1:${port}`,
    get pid() {
      return child.pid ?? 0;
    },
    kill,
    restart: async () => {
      await kill();
      child = await run(folder, port);
    },
    freeze: (isFrozen) => void child.kill(isFrozen ? 'SIGSTOP' : 'SIGCONT'),
    dispose: async () => {
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Starts the process, and waits until it listens. It is no root: it reads what the network sends. */
async function run(folder: string, port: number): Promise<ChildProcess> {
  const janus = ['janus', '--configs-folder', folder];
  const nobody = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups', '--no-new-privs'];
  const [command = '', ...args] = process.getuid?.() === 0 ? [...nobody, ...janus] : janus;
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  await new Promise<void>((resolve, reject) => {
    const fail = (reason: string) => reject(new Error(`Janus did not start: ${reason}\n${output}`));
    const limit = setTimeout(() => {
      child.kill('SIGKILL');
      fail('it did not listen in time');
    }, scaled(15_000));
    const read = (data: Buffer) => {
      if (output.length < 100_000) output += data.toString();
      if (!output.includes(`Websockets server started (port ${port})`)) return;
      clearTimeout(limit);
      resolve();
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('exit', (code) => {
      clearTimeout(limit);
      fail(`it ended with ${code}`);
    });
  });
  return child;
}
