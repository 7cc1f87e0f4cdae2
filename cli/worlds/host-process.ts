/** A scenario host, seen from its parent: it runs cases one after another, and is killed at the end. */
import type { Clock, Timer } from '../../src/common/clock.ts';
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import * as v from 'valibot';
import type { CaseResult } from '../../sim/scenario/run/run-scenario.ts';
import { type CaseAssignment, hostEvent } from './host-messages.ts';

/** The host died or was silent before its verdict. The message is one line for users. */
export class HostLost extends Error {
  /** Whether the host may have begun the case. */
  readonly isBegun: boolean;

  constructor(message: string, isBegun: boolean) {
    super(message);
    this.isBegun = isBegun;
  }
}

/** A case that the host has, and its verdict. */
interface GivenCase {
  readonly assignment: CaseAssignment;
  readonly resolve: (result: CaseResult) => void;
  readonly reject: (error: HostLost) => void;
}

/** The maximum time for a host to load, milliseconds. It needs seconds on a busy machine. */
const READY_LIMIT_MS = 90_000;
/** The maximum time of a case. Each step has a deadline, so a longer case hangs. */
const VERDICT_LIMIT_MS = 10 * 60_000;

/** Returns the program beside a module: JavaScript in a build, TypeScript with its loader in the sources. */
export const programBeside = (module: string, name: string): string =>
  fileURLToPath(new URL(`./${name}.${module.endsWith('.ts') ? 'ts' : 'js'}`, module));

export class HostProcess {
  readonly #clock: Pick<Clock, 'after'>;
  readonly #child: ChildProcess;
  #isReady = false;
  #stderr = '';
  /** The reason why no verdict can follow. */
  #lost: string | undefined;
  /** The cases in the order in which the host runs them. It runs the first one. */
  readonly #given: GivenCase[] = [];
  #limit: Timer | undefined;

  /** @param clock - limits the waits for the host. */
  constructor(clock: Pick<Clock, 'after'>, program: string) {
    this.#clock = clock;
    this.#child = fork(program, [], {
      execArgv: program.endsWith('.ts') ? ['--import', 'tsx'] : [],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      serialization: 'advanced',
    });
    this.#child.stderr?.on('data', (chunk: Buffer) => {
      this.#stderr = (this.#stderr + String(chunk)).slice(-4_000);
      if (process.env['RINGBACK_DEBUG']) process.stderr.write(chunk);
    });
    this.#child.on('message', (message) => this.#receive(message));
    this.#child.on('error', (error) => this.#lose(`the scenario host cannot be started: ${error.message}`));
    this.#child.on('exit', (code, signal) => {
      const how = `${signal ?? `exit code ${code ?? 'unknown'}`}${reasonIn(this.#stderr)}`;
      this.#lose(
        this.#isReady
          ? `the scenario host crashed before its verdict: ${how}`
          : `the scenario host cannot be loaded: ${how}; reinstall with npm ci`,
      );
    });
  }

  get isAlive(): boolean {
    return this.#lost === undefined;
  }

  /** The number of cases that the host has. */
  get pending(): number {
    return this.#given.length;
  }

  /**
   * Runs a case after those before it.
   *
   * @throws HostLost when there is no verdict, also after `signal` has aborted.
   */
  async run(assignment: CaseAssignment, signal: AbortSignal): Promise<CaseResult> {
    const ended = () => this.#lose('the run was ended');
    signal.addEventListener('abort', ended);
    try {
      return await new Promise<CaseResult>((resolve, reject) => {
        if (signal.aborted) ended();
        if (this.#lost !== undefined) return reject(new HostLost(this.#lost, false));
        this.#given.push({ assignment, resolve, reject });
        if (this.#isReady) this.#child.send(assignment);
        if (this.#given.length === 1) this.#await();
      });
    } finally {
      signal.removeEventListener('abort', ended);
    }
  }

  kill(): void {
    this.#lost ??= 'it was killed';
    this.#child.kill('SIGKILL');
  }

  /** Limits the wait for the verdict on the first case. */
  #await(): void {
    this.#limit?.cancel();
    if (this.#given.length === 0) return;
    const ms = this.#isReady ? VERDICT_LIMIT_MS : READY_LIMIT_MS;
    this.#limit = this.#clock.after(ms, () => this.#lose('the scenario host was silent for too long'));
  }

  #receive(message: unknown): void {
    const event = v.safeParse(hostEvent, message);
    if (!event.success) return this.#lose('the scenario host sent an unknown message');
    if (event.output.type === 'result') this.#given.shift()?.resolve(event.output.result);
    else {
      this.#isReady = true;
      for (const { assignment } of this.#given) this.#child.send(assignment);
    }
    this.#await();
  }

  #lose(why: string): void {
    if (this.#lost !== undefined) return;
    this.#lost = why;
    for (const [at, { reject }] of this.#given.splice(0).entries()) reject(new HostLost(why, at === 0));
    this.#await();
    this.kill();
  }
}

/** Returns the first line of the output of the host that has an error. */
function reasonIn(stderr: string): string {
  const line = stderr
    .split('\n')
    .map((one) => one.trim())
    .find((one) => /error/i.test(one));
  return line === undefined ? '' : `, ${line.slice(0, 200)}`;
}
