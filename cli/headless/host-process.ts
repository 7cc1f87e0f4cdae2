/**
 * A host process with the native media engine, seen from its parent: starts it, sends it one assignment and forwards its
 * events. The engine may crash its process at the end. The verdict is therefore the message of the host over IPC, never
 * its exit code. The parent kills the host after its verdict.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import * as v from 'valibot';
import type { Clock, Timer } from '../../src/common/clock.ts';
import { CommandError } from '../command-error.ts';
import { EXIT } from '../exit-codes.ts';

/** The maximum time for the engine to load, milliseconds. It needs less than a second. */
const READY_LIMIT_MS = 20_000;

export interface HostOptions<Event> {
  /** The module of the host in this folder, without its extension. */
  readonly module: 'peer-host' | 'room/room-host' | 'engine-check';
  /** The schema of the events of the host. */
  readonly events: v.GenericSchema<unknown, Event>;
  /** The message that the host gets when it is ready. */
  readonly assignment: object;
  /** Runs when the host has its assignment. */
  readonly begun: () => void;
  readonly onEvent: (event: Event) => void;
  /** Limits the time for the engine to load. */
  readonly clock: Pick<Clock, 'after'>;
}

export class HostProcess<Event extends { readonly type: string }> {
  /**
   * Resolves when the host has ended or was killed: to true when Ctrl-C of the terminal ended it. Rejects with a
   * CommandError when the host crashed.
   */
  readonly done: Promise<{ readonly interrupted: boolean }>;
  readonly #child: ChildProcess;
  readonly #options: HostOptions<Event>;
  readonly #limit: Timer;
  #isReady = false;
  #isStopping = false;
  /** True when the host ends by itself soon, or at once before it is ready. */
  #mayEnd = false;
  /** The end of the error output of the host. */
  #stderr = '';
  #resolve: (end: { readonly interrupted: boolean }) => void = () => undefined;
  #reject: (error: CommandError) => void = () => undefined;

  constructor(options: HostOptions<Event>) {
    this.#options = options;
    this.#child = startHost(options.module);
    this.done = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    this.#limit = options.clock.after(READY_LIMIT_MS, () =>
      this.#fail('The media engine does not start: reinstall with npm ci, then try again.', EXIT.environment),
    );
    this.#child.stderr?.on('data', (chunk: Buffer) => {
      this.#stderr = (this.#stderr + String(chunk)).slice(-4_000);
      if (process.env['RINGBACK_DEBUG']) process.stderr.write(chunk);
    });
    this.#child.on('message', (message) => this.#receive(message));
    this.#child.on('error', (error) => {
      this.#limit.cancel();
      this.#fail(`The peer host cannot be started: ${error.message}.`, EXIT.environment);
    });
    this.#child.on('exit', (code, signal) => this.#exited(code, signal));
  }

  get isReady(): boolean {
    return this.#isReady;
  }

  /** Sends a message. A host that has just died receives none: its exit is handled elsewhere. */
  send(message: object): void {
    if (this.#child.connected) this.#child.send(message, () => undefined);
  }

  /** Expects that the host ends by itself without a verdict. This is not a crash then. */
  allowEnd(): void {
    this.#mayEnd = true;
  }

  kill(): void {
    this.#isStopping = true;
    this.#child.kill('SIGKILL');
  }

  #receive(message: unknown): void {
    const event = v.safeParse(this.#options.events, message);
    if (!event.success)
      return this.#fail(`The peer host sent an unknown message: ${firstIssue(event.issues)}.`, EXIT.internal);
    if (event.output.type === 'ready') {
      this.#isReady = true;
      this.#limit.cancel();
      this.send(this.#options.assignment);
      this.#options.begun();
    }
    if (!this.#isStopping) this.#options.onEvent(event.output);
  }

  #exited(code: number | null, signal: NodeJS.Signals | null): void {
    this.#limit.cancel();
    // While the host loads, Ctrl-C ends the whole process group, before or after this process receives the signal.
    const interrupted = signal === 'SIGINT';
    const isEnded = this.#mayEnd && (code === 0 || !this.#isReady);
    if (interrupted || this.#isStopping || isEnded) this.#resolve({ interrupted });
    else this.#reject(crash(this.#isReady, signal ?? `exit code ${code ?? 'unknown'}`, this.#stderr));
  }

  #fail(message: string, exitCode: number): void {
    this.kill();
    this.#reject(new CommandError(message, exitCode));
  }
}

function startHost(module: string): ChildProcess {
  // A build has the host in JavaScript. Under a test runner it is TypeScript and needs a loader.
  const fromSources = import.meta.url.endsWith('.ts');
  return fork(fileURLToPath(new URL(`./${module}.${fromSources ? 'ts' : 'js'}`, import.meta.url)), [], {
    execArgv: fromSources ? ['--import', 'tsx'] : [],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    serialization: 'advanced',
  });
}

/** Returns the error of an exit: before the host is ready, a missing requirement; after it, a lost call. */
function crash(ready: boolean, how: string, stderr: string): CommandError {
  const reason = stderr
    .split('\n')
    .map((line) => line.trim())
    .find((line) => /error/i.test(line));
  const because = reason ? `: ${reason.slice(0, 200)}` : '';
  return ready
    ? new CommandError(`The peer host crashed in the call (${how})${because}. Its result is unknown.`, EXIT.crashed)
    : new CommandError(
        `The media engine cannot be loaded (${how})${because}. Reinstall with npm ci.`,
        EXIT.environment,
      );
}

function firstIssue(issues: readonly v.BaseIssue<unknown>[]): string {
  const [issue] = issues;
  return issue ? `${v.getDotPath(issue) ?? 'message'}: ${issue.message}` : 'empty';
}
