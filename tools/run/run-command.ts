/** Runs a command in a process group, so that all of its processes end when it is stopped, and on Ctrl-C. */
import { type ChildProcess, spawn } from 'node:child_process';

export interface CommandEnd {
  /** The failure in plain words. Undefined when the command exited with 0. */
  readonly trouble?: string;
}

export interface CommandOptions {
  /** Variables added to the environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** Receives the output on either stream. Default: the command prints directly. */
  readonly say?: (text: string) => void;
  /** True to give other processes priority. */
  readonly yields?: boolean;
  /** Stops the command when it aborts. Its reason is a string, which becomes part of the failure. */
  readonly stop?: AbortSignal;
}

const INTERRUPTED = 130;
const KILL_AFTER_MS = 5_000;
/** The time for the last output, when a surviving process holds the pipes open. */
const DRAINED_AFTER_MS = 1_000;
/**
 * The niceness of a low-priority command: about half of the processor share of others, so that it still makes progress.
 */
const LOW_PRIORITY = 3;
const running = new Set<ChildProcess>();

function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // The whole group has ended.
  }
}

/**
 * Ends every running command on Ctrl-C, then this process. Commands in groups of their own do not receive the signal.
 */
export function endAllOnInterrupt(): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      for (const child of running) signalGroup(child, 'SIGKILL');
      process.exit(INTERRUPTED);
    });
  }
}

/** Returns a signal that aborts after a time, with a string as the reason. The timer does not keep the process alive. */
export function stopAfter(ms: number, reason: string): AbortSignal {
  const stop = new AbortController();
  setTimeout(() => stop.abort(reason), ms).unref();
  return stop.signal;
}

/**
 * Starts a command with a low priority. Linux may weigh whole sessions against each other, and then niceness counts
 * only inside of one: the command is a session, and yields as one. A kernel that does not weigh sessions refuses the
 * write.
 */
const YIELDING = [
  ...['sh', '-c', `{ echo ${LOW_PRIORITY} >/proc/self/autogroup; } 2>/dev/null; exec nice -n ${LOW_PRIORITY} "$@"`],
  'sh',
];

/** Runs a command to its end. Resolves with the failure, if any. Never rejects. */
export function runCommand(
  command: readonly string[],
  { env = {}, say, yields = false, stop }: CommandOptions = {},
): Promise<CommandEnd> {
  return new Promise((resolve) => {
    const [program = '', ...args] = yields ? [...YIELDING, ...command] : command;
    const output = say ? 'pipe' : 'inherit';
    const child = spawn(program, args, {
      stdio: ['ignore', output, output],
      detached: true,
      env: { ...process.env, ...env },
    });
    running.add(child);
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8');
      stream?.on('data', (text: string) => say?.(text));
    }
    let kill: NodeJS.Timeout | undefined;
    const stopNow = () => {
      signalGroup(child, 'SIGTERM');
      kill = setTimeout(() => signalGroup(child, 'SIGKILL'), KILL_AFTER_MS);
    };
    stop?.addEventListener('abort', stopNow);
    const end = (trouble?: string) => {
      stop?.removeEventListener('abort', stopNow);
      clearTimeout(kill);
      running.delete(child);
      // Surviving processes must not hold the ports or the cores of the next command.
      signalGroup(child, 'SIGKILL');
      const settle = () => resolve(trouble === undefined ? {} : { trouble });
      if (!say || child.pid === undefined) return settle();
      const drained = setTimeout(settle, DRAINED_AFTER_MS);
      child.once('close', () => {
        clearTimeout(drained);
        settle();
      });
    };
    child.once('error', (error) => end(`did not start: ${error.message}`));
    child.once('exit', (code, signal) => {
      if (stop?.aborted) end(`was stopped: ${String(stop.reason)}`);
      else if (signal) end(`was ended by ${signal}`);
      else end(code === 0 ? undefined : `exited with ${code}`);
    });
    if (stop?.aborted) stopNow();
  });
}
