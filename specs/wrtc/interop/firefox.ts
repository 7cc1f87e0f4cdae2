/** Firefox of the system without a window, driven by WebDriver BiDi (https://w3c.github.io/webdriver-bidi/). */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WebSocket } from 'ws';
import { findExecutable } from '../../../cli/worlds/browser/chromium.ts';
import { scaled } from '../../../tools/run/machine-factor.ts';

const program = findExecutable(['firefox-esr', 'firefox']);
const START_MS = 60_000;
const LISTENING = /WebDriver BiDi listening on (ws:\/\/\S+)/;

/** Why Firefox cannot be used here, in one line. Undefined when it can. */
export const NO_FIREFOX = program === undefined ? 'Firefox is not installed: apt-get install firefox-esr' : undefined;

interface Reply {
  readonly id?: number;
  readonly result?: any;
  readonly error?: string;
  readonly message?: string;
}

/** A page of Firefox. */
export interface FirefoxPage {
  /** Evaluates an expression, and waits for its promise. Resolves with a value of JSON. */
  evaluate(expression: string): Promise<unknown>;
  close(): Promise<void>;
}

/** Opens a page in a fresh profile. Its microphone sends a tone, and its camera a picture, without a question. */
export async function openFirefox(url: string, tone: number): Promise<FirefoxPage> {
  const profile = mkdtempSync(join(tmpdir(), 'ringback-firefox-'));
  const settings = {
    'media.navigator.streams.fake': true,
    'media.navigator.permission.disabled': true,
    'media.navigator.audio.fake_frequency': tone,
    'media.autoplay.default': 0,
    'media.autoplay.blocking_policy': 0,
    'media.peerconnection.ice.loopback': true,
    'media.peerconnection.ice.obfuscate_host_addresses': false,
    'datareporting.policy.dataSubmissionEnabled': false,
    'app.update.enabled': false,
  };
  const lines = Object.entries(settings).map(([name, value]) => `user_pref("${name}", ${JSON.stringify(value)});`);
  writeFileSync(join(profile, 'user.js'), lines.join('\n'));
  const words = ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port', '0', 'about:blank'];
  // It writes into its home, which may belong to another user.
  const child = spawn(program ?? '', words, {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, HOME: profile },
  });
  const end = async () => {
    const exited = new Promise((resolve) => child.once('exit', resolve));
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGKILL');
      await exited;
    }
    rmSync(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  };
  try {
    const session = await BidiSession.open(`${await addressOf(child)}/session`);
    const { contexts } = await session.send('browsingContext.getTree', {});
    const context: string = contexts[0].context;
    await session.send('browsingContext.navigate', { context, url, wait: 'complete' });
    return {
      async evaluate(expression) {
        const text = `(async () => JSON.stringify((await (${expression})) ?? null))()`;
        const answer = await session.send('script.evaluate', {
          expression: text,
          target: { context },
          awaitPromise: true,
          userActivation: true,
        });
        if (answer.type === 'exception') throw new Error(`Firefox: ${answer.exceptionDetails.text}`);
        return JSON.parse(answer.result.value);
      },
      async close() {
        session.close();
        await end();
      },
    };
  } catch (error) {
    await end();
    throw error;
  }
}

/** Returns the address at which Firefox listens. */
function addressOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = '';
    const limit = setTimeout(() => reject(new Error(`Firefox did not start: ${said}`)), scaled(START_MS));
    child.once('exit', () => reject(new Error(`Firefox ended: ${said}`)));
    child.stderr?.on('data', (text) => {
      said += String(text);
      const [, address] = LISTENING.exec(said) ?? [];
      if (address === undefined) return;
      clearTimeout(limit);
      resolve(address);
    });
  });
}

class BidiSession {
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, (reply: Reply) => void>();
  #commands = 0;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on('message', (data) => {
      const reply = JSON.parse(String(data)) as Reply;
      if (reply.id === undefined) return;
      this.#waiting.get(reply.id)?.(reply);
      this.#waiting.delete(reply.id);
    });
    socket.on('error', () => undefined);
  }

  static async open(url: string): Promise<BidiSession> {
    const socket = new WebSocket(url);
    await new Promise<void>((resolve, reject) => {
      socket.once('open', () => resolve());
      socket.once('error', reject);
    });
    const session = new BidiSession(socket);
    await session.send('session.new', { capabilities: {} });
    return session;
  }

  /** Sends a command. Rejects with the error of Firefox. */
  async send(method: string, params: object): Promise<any> {
    const id = (this.#commands += 1);
    const reply = await new Promise<Reply>((resolve) => {
      this.#waiting.set(id, resolve);
      this.#socket.send(JSON.stringify({ id, method, params }));
    });
    if (reply.error !== undefined) throw new Error(`${method}: ${reply.error}: ${reply.message ?? ''}`);
    return reply.result;
  }

  close(): void {
    this.#socket.terminate();
  }
}
