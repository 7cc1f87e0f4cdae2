/**
 * The mixer of voices, seen from the engine: a process with native media. A mixer that dies is started again, and its
 * voices are connected anew. The connections of clients are not affected.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import * as v from 'valibot';
import type { Clock, Timer } from '../../../src/common/clock.ts';
import type { Log } from '../../exchange/logging/log.ts';
import { type MixerCommand, mixerNews } from './messages.ts';

/** The time between the end of a mixer and the next start. Milliseconds. */
const RESTART_MS = 500;
/** The time for which a mixer without voices is kept for the next room. Milliseconds. */
const IDLE_MS = 60_000;

/** The engine's side of a voice. */
export interface MixedVoice {
  readonly room: string;
  /** Connects the voice to the mixer: returns the answer to its offer. Called again after a restart of the mixer. */
  connect(offer: string): Promise<string>;
  /** Called when the mixer has died. Its connection is of no use then. */
  lost(): void;
}

interface Options {
  readonly clock: Pick<Clock, 'after'>;
  readonly log: Pick<Log, 'warn' | 'error'>;
}

export class Mixer {
  readonly #options: Options;
  readonly #voices = new Map<string, MixedVoice>();
  #child: ChildProcess | null = null;
  #isReady = false;
  #timer: Timer | null = null;
  #isClosed = false;

  constructor(options: Options) {
    this.#options = options;
  }

  /** The process of the mixer. Null while none runs. */
  get pid(): number | null {
    return this.#child?.pid ?? null;
  }

  /** Starts the process, unless it runs. A room calls it before the first voice. */
  start(): void {
    if (this.#isClosed || this.#child) return;
    this.#timer?.cancel();
    const fromSources = import.meta.url.endsWith('.ts');
    const child = fork(fileURLToPath(new URL(`./mixer-host.${fromSources ? 'ts' : 'js'}`, import.meta.url)), [], {
      execArgv: fromSources ? ['--import', 'tsx'] : [],
      stdio: ['ignore', 'ignore', process.env['RINGBACK_DEBUG'] ? 'inherit' : 'ignore', 'ipc'],
      serialization: 'advanced',
    });
    this.#child = child;
    this.#isReady = false;
    child.on('message', (message) => this.#receive(child, message));
    child.on('error', (error) => this.#options.log.error('the mixer cannot be started', { error }));
    child.once('exit', () => this.#ended(child));
  }

  add(id: string, voice: MixedVoice): void {
    this.#voices.set(id, voice);
    this.#timer?.cancel();
    this.start();
    if (this.#isReady) this.#send({ type: 'add', voice: id, room: voice.room });
  }

  remove(id: string): void {
    if (!this.#voices.delete(id)) return;
    this.#send({ type: 'remove', voice: id });
    if (this.#voices.size > 0) return;
    this.#timer?.cancel();
    this.#timer = this.#options.clock.after(IDLE_MS, () => this.#stop());
  }

  close(): void {
    this.#isClosed = true;
    this.#timer?.cancel();
    this.#voices.clear();
    this.#stop();
  }

  #stop(): void {
    const child = this.#child;
    this.#child = null;
    child?.kill('SIGKILL');
  }

  #receive(child: ChildProcess, message: unknown): void {
    const news = v.safeParse(mixerNews, message);
    if (child !== this.#child) return;
    if (!news.success) {
      child.kill('SIGKILL');
      return;
    }
    if (news.output.type === 'ready') {
      this.#isReady = true;
      for (const [id, { room }] of this.#voices) this.#send({ type: 'add', voice: id, room });
    } else void this.#answer(child, news.output);
  }

  async #answer(child: ChildProcess, { voice: id, sdp }: { readonly voice: string; readonly sdp: string }) {
    try {
      const answer = await this.#voices.get(id)?.connect(sdp);
      if (answer !== undefined && child === this.#child) this.#send({ type: 'answer', voice: id, sdp: answer });
    } catch (error) {
      this.#options.log.warn('a voice cannot be mixed', { error });
    }
  }

  #ended(child: ChildProcess): void {
    if (child !== this.#child) return;
    this.#child = null;
    this.#options.log.error('the mixer of rooms has died', { voices: this.#voices.size });
    for (const voice of this.#voices.values()) voice.lost();
    this.#timer?.cancel();
    if (this.#voices.size > 0) this.#timer = this.#options.clock.after(RESTART_MS, () => this.start());
  }

  #send(command: MixerCommand): void {
    if (this.#child?.connected && this.#isReady) this.#child.send(command, () => undefined);
  }
}
