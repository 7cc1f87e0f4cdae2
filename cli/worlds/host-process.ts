/** A scenario host, seen from its parent: it runs cases one after another, and is killed at the end. */
import type { Clock, Timer } from '../../src/common/clock.ts';
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import * as v from 'valibot';
import type { CaseResult } from '../../sim/scenario/run/run-scenario.ts';
import { type CaseAssignment, hostEvent } from './host-messages.ts';

/** The host died or was silent before its verdict. The message is one line for users. */
export class HostLost extends Error {}

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
  #ready: () => void = () => undefined;
  #verdict: (result: CaseResult) => void = () => undefined;
  #fail: (error: HostLost) => void = () => undefined;

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

  /**
   * Runs one case.
   *
   * @throws HostLost when there is no verdict, also after `signal` has aborted.
   */
  async run(assignment: CaseAssignment, signal: AbortSignal): Promise<CaseResult> {
    const ended = () => this.#lose('the run was ended');
    signal.addEventListener('abort', ended);
    let limit: Timer | undefined;
    const within = (ms: number) => {
      limit?.cancel();
      limit = this.#clock.after(ms, () => this.#lose('the scenario host was silent for too long'));
    };
    try {
      return await new Promise<CaseResult>((resolve, reject) => {
        this.#verdict = resolve;
        this.#fail = reject;
        if (signal.aborted) ended();
        if (this.#lost !== undefined) reject(new HostLost(this.#lost));
        within(READY_LIMIT_MS);
        this.#ready = () => {
          within(VERDICT_LIMIT_MS);
          this.#child.send(assignment);
        };
        if (this.#isReady) this.#ready();
      });
    } finally {
      limit?.cancel();
      signal.removeEventListener('abort', ended);
    }
  }

  kill(): void {
    this.#lost ??= 'it was killed';
    this.#child.kill('SIGKILL');
  }

  #receive(message: unknown): void {
    const event = v.safeParse(hostEvent, message);
    if (!event.success) return this.#lose('the scenario host sent an unknown message');
    if (event.output.type === 'result') return this.#verdict(event.output.result);
    this.#isReady = true;
    this.#ready();
  }

  #lose(why: string): void {
    if (this.#lost !== undefined) return;
    this.#lost = why;
    this.#fail(new HostLost(why));
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
