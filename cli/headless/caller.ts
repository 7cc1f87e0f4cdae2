/**
 * A headless caller, seen from its parent process: starts the peer host as a child process, sends it one assignment and
 * forwards its events. The native engine may crash its process at the end. The verdict is therefore the message of the
 * host over IPC, never its exit code. The host is killed after its verdict.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import * as v from 'valibot';
import type { Clock, Timer } from '../../src/common/clock.ts';
import { CommandError } from '../command-error.ts';
import { EXIT } from '../exit-codes.ts';
import { type Assignment, type HostCommand, hostEvent, type HostEvent } from './messages.ts';

export interface HeadlessCaller {
  /**
   * Resolves when the host has ended or was killed: to true when Ctrl-C of the terminal ended it. Rejects with a
   * CommandError
   * when the host crashed.
   */
  readonly done: Promise<{ readonly interrupted: boolean }>;
  /** Accepts the call. For an assignment that waits for this command. */
  accept(): void;
  /** Hangs up, or stops waiting for a call. */
  hangUp(): void;
  /** Kills the host at once. */
  kill(): void;
}

/** The maximum time for the engine to load, milliseconds. It needs less than a second. */
const READY_LIMIT_MS = 20_000;

/**
 * Starts a headless caller.
 *
 * @param clock - limits the time for the engine to load.
 */
export function startHeadlessCaller(
  assignment: Omit<Assignment, 'type'>,
  onEvent: (event: HostEvent) => void,
  clock: Pick<Clock, 'after'>,
): HeadlessCaller {
  return new CallerProcess(assignment, onEvent, clock);
}

class CallerProcess implements HeadlessCaller {
  readonly done: Promise<{ readonly interrupted: boolean }>;
  readonly #child = startHost();
  readonly #assignment: Omit<Assignment, 'type'>;
  readonly #onEvent: (event: HostEvent) => void;
  readonly #limit: Timer;
  #isReady = false;
  #isAccepted = false;
  #isStopping = false;
  /** True when the host ends after its call, or at once without a call. */
  #isHungUp = false;
  /** The end of the error output of the host. */
  #stderr = '';
  #resolve: (end: { readonly interrupted: boolean }) => void = () => undefined;
  #reject: (error: CommandError) => void = () => undefined;

  constructor(assignment: Omit<Assignment, 'type'>, onEvent: (event: HostEvent) => void, clock: Pick<Clock, 'after'>) {
    this.#assignment = assignment;
    this.#onEvent = onEvent;
    this.done = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    this.#limit = clock.after(READY_LIMIT_MS, () =>
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

  accept(): void {
    this.#isAccepted = true;
    if (this.#isReady) this.#send({ type: 'accept' });
  }

  hangUp(): void {
    // Without a call there is no verdict: the host ends, and this is not a crash.
    this.#isHungUp = true;
    this.#send({ type: 'hang-up' });
  }

  kill(): void {
    this.#isStopping = true;
    this.#child.kill('SIGKILL');
  }

  #receive(message: unknown): void {
    const event = v.safeParse(hostEvent, message);
    if (!event.success)
      return this.#fail(`The peer host sent an unknown message: ${firstIssue(event.issues)}.`, EXIT.internal);
    if (event.output.type === 'ready') {
      this.#isReady = true;
      this.#limit.cancel();
      this.#send({ type: 'assignment', ...this.#assignment });
      if (this.#isAccepted) this.#send({ type: 'accept' });
    }
    if (!this.#isStopping) this.#onEvent(event.output);
  }

  #exited(code: number | null, signal: NodeJS.Signals | null): void {
    this.#limit.cancel();
    // While the host loads, Ctrl-C ends the whole process group, before or after this process receives the signal.
    const interrupted = signal === 'SIGINT';
    const isEnded = this.#isHungUp && (code === 0 || !this.#isReady);
    if (interrupted || this.#isStopping || isEnded) this.#resolve({ interrupted });
    else this.#reject(crash(this.#isReady, signal ?? `exit code ${code ?? 'unknown'}`, this.#stderr));
  }

  #send(command: HostCommand): void {
    // A host that has just died receives no message. Its exit is handled elsewhere.
    if (this.#child.connected) this.#child.send(command, () => undefined);
  }

  #fail(message: string, exitCode: number): void {
    this.kill();
    this.#reject(new CommandError(message, exitCode));
  }
}

function startHost(): ChildProcess {
  // A build has the host in JavaScript. Under a test runner it is TypeScript and needs a loader.
  const fromSources = import.meta.url.endsWith('.ts');
  return fork(fileURLToPath(new URL(`.//peer-host.${fromSources ? 'ts' : 'js'}`, import.meta.url)), [], {
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
