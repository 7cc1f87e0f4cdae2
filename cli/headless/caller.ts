/**
 * A headless caller, seen from its parent process: starts the peer host as a child process, sends it one assignment and
 * forwards its events. The native engine may crash its process at the end. The verdict is therefore the message of the
 * host over IPC, never its exit code. The host is killed after its verdict.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import * as v from 'valibot';
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

export function startHeadlessCaller(
  assignment: Omit<Assignment, 'type'>,
  onEvent: (event: HostEvent) => void,
): HeadlessCaller {
  const child = startHost();
  let ready = false;
  let accepting = false;
  let stopping = false;
  let stoppingWhenIdle = false;
  let stderr = '';

  const send = (command: HostCommand) => {
    // A host that has just died receives no message. Its exit is handled below.
    if (child.connected) child.send(command, () => undefined);
  };
  const kill = () => {
    stopping = true;
    child.kill('SIGKILL');
  };

  child.stderr?.on('data', (chunk: Buffer) => {
    stderr = (stderr + String(chunk)).slice(-4_000);
    if (process.env['RINGBACK_DEBUG']) process.stderr.write(chunk);
  });

  const done = new Promise<{ readonly interrupted: boolean }>((resolve, reject) => {
    const fail = (error: CommandError) => {
      kill();
      reject(error);
    };
    const limit = setTimeout(() => {
      fail(
        new CommandError('The media engine does not start: reinstall with npm ci, then try again.', EXIT.environment),
      );
    }, READY_LIMIT_MS);

    child.on('message', (message) => {
      const parsed = v.safeParse(hostEvent, message);
      if (!parsed.success) {
        fail(new CommandError(`The peer host sent an unknown message: ${firstIssue(parsed.issues)}.`, EXIT.internal));
        return;
      }
      if (parsed.output.type === 'ready') {
        ready = true;
        clearTimeout(limit);
        send({ type: 'assignment', ...assignment });
        if (accepting) send({ type: 'accept' });
      }
      if (!stopping) onEvent(parsed.output);
    });
    child.on('error', (error) => {
      clearTimeout(limit);
      fail(new CommandError(`The peer host cannot be started: ${error.message}.`, EXIT.environment));
    });
    child.on('exit', (code, signal) => {
      clearTimeout(limit);
      // While the host loads, Ctrl-C ends the whole process group, before or after this process receives the signal.
      const interrupted = signal === 'SIGINT';
      if (interrupted || stopping || (stoppingWhenIdle && (code === 0 || !ready))) resolve({ interrupted });
      else reject(crash(ready, signal ?? `exit code ${code ?? 'unknown'}`, stderr));
    });
  });

  const hangUp = () => {
    // Without a call there is no verdict: the host ends, and this is not a crash.
    stoppingWhenIdle = true;
    send({ type: 'hang-up' });
  };
  const accept = () => {
    accepting = true;
    if (ready) send({ type: 'accept' });
  };
  return { done, accept, hangUp, kill };
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
