/** A scenario host, seen from outside: it is given cases one after another, and killed in the end. */
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import * as v from 'valibot';
import type { CaseResult } from '../../../sim/scenario/run/run-scenario.ts';
import { type CaseAssignment, hostEvent } from './host-messages.ts';

/** The host died, or said nothing, before there was a verdict. The message is one line, for people. */
export class HostLost extends Error {}

/** The engine loads in seconds, even on a machine with other work; a host that says nothing for this long will not. */
const READY_LIMIT_MS = 90_000;
/** Every step has its end; a host that has not come to its own by then hangs. */
const VERDICT_LIMIT_MS = 10 * 60_000;

/** The host's program: JavaScript from a build, TypeScript with its loader from the sources. */
const PROGRAM = fileURLToPath(
  new URL(`./scenario-host.${import.meta.url.endsWith('.ts') ? 'ts' : 'js'}`, import.meta.url),
);

export class HostProcess {
  readonly #child: ChildProcess;
  #isReady = false;
  #said = '';
  /** Why there will be no verdict any more. */
  #lost: string | undefined;
  #ready: () => void = () => undefined;
  #verdict: (result: CaseResult) => void = () => undefined;
  #fail: (error: HostLost) => void = () => undefined;

  constructor(program = PROGRAM) {
    this.#child = fork(program, [], {
      execArgv: program.endsWith('.ts') ? ['--import', 'tsx'] : [],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      serialization: 'advanced',
    });
    this.#child.stderr?.on('data', (chunk: Buffer) => {
      this.#said = (this.#said + String(chunk)).slice(-4_000);
      if (process.env['RINGBACK_DEBUG']) process.stderr.write(chunk);
    });
    this.#child.on('message', (message) => this.#hear(message));
    this.#child.on('error', (error) => this.#lose(`the scenario host cannot be started: ${error.message}`));
    this.#child.on('exit', (code, signal) => {
      const how = `${signal ?? `exit code ${code ?? 'unknown'}`}${reasonIn(this.#said)}`;
      this.#lose(
        this.#isReady
          ? `the scenario host crashed before its verdict: ${how}`
          : `the media engine cannot be loaded: ${how}; reinstall with npm ci`,
      );
    });
  }

  get isAlive(): boolean {
    return this.#lost === undefined;
  }

  /**
   * Runs one case.
   *
   * @throws HostLost when there is no verdict, also because `signal` ended it.
   */
  async run(assignment: CaseAssignment, signal: AbortSignal): Promise<CaseResult> {
    const ended = () => this.#lose('the run was ended');
    signal.addEventListener('abort', ended);
    let limit: NodeJS.Timeout | undefined;
    const within = (ms: number) => {
      clearTimeout(limit);
      limit = setTimeout(() => this.#lose('the scenario host said nothing for too long'), ms);
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
      clearTimeout(limit);
      signal.removeEventListener('abort', ended);
    }
  }

  kill(): void {
    this.#lost ??= 'it was killed';
    this.#child.kill('SIGKILL');
  }

  #hear(message: unknown): void {
    const event = v.safeParse(hostEvent, message);
    if (!event.success) return this.#lose('the scenario host said something unknown');
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

/** The first line of what the host printed that says what went wrong. */
function reasonIn(said: string): string {
  const line = said
    .split('\n')
    .map((one) => one.trim())
    .find((one) => /error/i.test(one));
  return line === undefined ? '' : `, ${line.slice(0, 200)}`;
}
