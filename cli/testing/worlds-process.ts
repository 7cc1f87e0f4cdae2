/** The process that holds the worlds of this test process, seen from the tests. It is forked for the first world. */
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { ProcessSuccession } from './process-succession.ts';
import type { KitAnswers, KitCommand, KitReply, KitRequest } from './kit-messages.ts';

/**
 * The number of worlds after which a process is replaced, because the media engine leaks memory with each call. The next
 * process loads meanwhile, so that no test waits for it.
 */
const WORLDS_OF_A_PROCESS = 40;

const PROGRAM = fileURLToPath(
  new URL(`./host/kit-host.${import.meta.url.endsWith('.ts') ? 'ts' : 'js'}`, import.meta.url),
);

/** The refusal of a command. */
export interface KitRefusal {
  readonly refused: string;
  readonly code?: number | undefined;
}

interface Pending {
  readonly resolve: (value: unknown) => void;
  readonly refuse: (refusal: KitRefusal) => void;
}

/** One process. Its worlds end with it. */
export class WorldsProcess {
  readonly #child: ChildProcess;
  readonly #pending = new Map<number, Pending>();
  #asked = 0;
  #stderr = '';
  #isReady = false;
  #isRetired = false;
  /** The reason why it no longer answers. Undefined while it does. */
  #lost: string | undefined;
  /** The number of worlds so far, and of those that are open. */
  #opened = 0;
  #open = 0;

  constructor() {
    this.#child = fork(PROGRAM, [], {
      execArgv: PROGRAM.endsWith('.ts') ? ['--import', 'tsx'] : [],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      serialization: 'advanced',
    });
    this.#child.stderr?.on('data', (chunk: Buffer) => {
      this.#stderr = (this.#stderr + String(chunk)).slice(-4_000);
      if (process.env['RINGBACK_DEBUG']) process.stderr.write(chunk);
    });
    this.#child.on('message', (reply: KitReply) => this.#receive(reply));
    this.#child.on('error', (error) => this.#lose(error.message));
    this.#child.on('exit', (code, signal) => this.#lose(`${signal ?? `exit code ${code}`}${reasonIn(this.#stderr)}`));
    this.#keepsAlive(false);
  }

  /** Whether it has loaded. */
  get isReady(): boolean {
    return this.#isReady;
  }

  get isLost(): boolean {
    return this.#lost !== undefined;
  }

  get worlds(): number {
    return this.#opened;
  }

  /**
   * Sends a command of a world.
   * @throws KitRefusal
   */
  ask<C extends KitCommand>(world: number, command: C): Promise<KitAnswers[C['type']]> {
    if (command.type === 'open') {
      this.#opened += 1;
      this.#open += 1;
    }
    this.#asked += 1;
    const id = this.#asked;
    return new Promise((resolve, reject: (refusal: KitRefusal) => void) => {
      if (this.#lost !== undefined) return reject({ refused: `the process of the worlds has ended: ${this.#lost}` });
      this.#pending.set(id, { resolve: resolve as (value: unknown) => void, refuse: reject });
      this.#keepsAlive(true);
      this.#child.send({ id, world, command } satisfies KitRequest);
    });
  }

  /** Counts a world as closed. */
  closed(): void {
    this.#open -= 1;
    this.#endIfUnused();
  }

  /** Ends the process with its last world. */
  retire(): void {
    this.#isRetired = true;
    this.#endIfUnused();
  }

  #endIfUnused(): void {
    if (this.#isRetired && this.#open === 0) this.#child.kill('SIGKILL');
  }

  #receive(reply: KitReply): void {
    if (reply.type === 'ready') {
      this.#isReady = true;
      return;
    }
    const pending = this.#pending.get(reply.id);
    this.#pending.delete(reply.id);
    if (this.#pending.size === 0) this.#keepsAlive(false);
    if (reply.type === 'done') pending?.resolve(reply.value);
    else pending?.refuse({ refused: reply.message, code: reply.code });
  }

  #lose(why: string): void {
    this.#lost ??= why;
    for (const { refuse } of this.#pending.values())
      refuse({ refused: `the process of the worlds has ended: ${this.#lost}` });
    this.#pending.clear();
  }

  /** The test process lives on for an answer, and for nothing else. */
  #keepsAlive(isWaiting: boolean): void {
    for (const handle of [this.#child, this.#child.channel]) {
      if (isWaiting) handle?.ref();
      else handle?.unref();
    }
    const { stderr } = this.#child;
    if (stderr && 'unref' in stderr && typeof stderr.unref === 'function') stderr.unref();
  }
}

const processes = new ProcessSuccession(() => new WorldsProcess(), WORLDS_OF_A_PROCESS);

/** Returns the process for a new world. */
export const processOfWorlds = (): WorldsProcess => processes.take();

/** Returns the first line of an output that has an error. */
function reasonIn(output: string): string {
  const line = output
    .split('\n')
    .map((one) => one.trim())
    .find((one) => /error/i.test(one));
  return line === undefined ? '' : `, ${line.slice(0, 200)}`;
}
