/**
 * A headless caller, seen from outside: starts the peer host in a process of its own, hands it one assignment and passes
 * on what it reports. The native engine may crash its process at the end, so the verdict is what the host says over IPC,
 * never how it exits; once the verdict is here the host is killed.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import * as v from 'valibot';
import { CommandError } from '../command-error.ts';
import { EXIT } from '../exit-codes.ts';
import { type Assignment, type HostCommand, hostEvent, type HostEvent } from './messages.ts';

export interface HeadlessCaller {
  /**
   * Resolves when the host has ended or was killed, with whether that was the terminal's Ctrl-C; rejects with a
   * CommandError when it crashed without being told to end.
   */
  readonly done: Promise<{ readonly interrupted: boolean }>;
  /** Takes the call, where the assignment is to wait for this word. */
  accept(): void;
  /** Ends the call properly, or stops waiting for one. */
  hangUp(): void;
  /** Ends the host at once. */
  kill(): void;
}

/** The engine loads in under a second; a host that says nothing for this long will not. */
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
    // A host that has just died cannot be told anything; its exit is reported below.
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
        fail(new CommandError(`The peer host said something unknown: ${firstIssue(parsed.issues)}.`, EXIT.internal));
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
      // While it loads, the Ctrl-C that reaches the whole group ends it, before or after this process hears of it.
      const interrupted = signal === 'SIGINT';
      if (interrupted || stopping || (stoppingWhenIdle && (code === 0 || !ready))) resolve({ interrupted });
      else reject(crash(ready, signal ?? `exit code ${code ?? 'unknown'}`, stderr));
    });
  });

  const hangUp = () => {
    // Without a call there is no verdict to come: the host just ends, and that is no crash.
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
  // From a build the host is JavaScript; from the sources, under a test runner, it is TypeScript and needs its loader.
  const fromSources = import.meta.url.endsWith('.ts');
  return fork(fileURLToPath(new URL(`./peer-host.${fromSources ? 'ts' : 'js'}`, import.meta.url)), [], {
    execArgv: fromSources ? ['--import', 'tsx'] : [],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    serialization: 'advanced',
  });
}

/** Before it is ready something is missing on this machine; after, a call was lost with it. */
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
