/** Runs a command in a process group, so that all of its processes can be ended: when it is stopped, and on Ctrl-C. */
import { type ChildProcess, spawn } from 'node:child_process';

export interface CommandEnd {
  /** What went wrong, in plain words; undefined where the command exited with 0. */
  readonly trouble?: string;
}

export interface CommandOptions {
  /** Added to the environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** Takes what the command prints on either stream; without it the command prints for itself. */
  readonly say?: (text: string) => void;
  /** Whether other processes go first, where they want the processor as well. */
  readonly yields?: boolean;
  /** Stops the command when it aborts. The reason is a string that says why, and becomes part of the trouble. */
  readonly stop?: AbortSignal;
}

const INTERRUPTED = 130;
const KILL_AFTER_MS = 5_000;
/** The last output has arrived by then, also where a process that outlived the command holds its pipes open. */
const DRAINED_AFTER_MS = 1_000;
/** The niceness of a command that yields: about half of what the others get, so that it goes on where they take all. */
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

/** Ends every running command on Ctrl-C, then this process. Commands in groups of their own do not receive the signal. */
export function endAllOnInterrupt(): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      for (const child of running) signalGroup(child, 'SIGKILL');
      process.exit(INTERRUPTED);
    });
  }
}

/** Returns a signal that aborts after a time with a reason, a string. The timer does not keep the process alive. */
export function stopAfter(ms: number, reason: string): AbortSignal {
  const stop = new AbortController();
  setTimeout(() => stop.abort(reason), ms).unref();
  return stop.signal;
}

/**
 * Starts a command with a low priority. Linux may weigh whole sessions against each other, and then niceness counts only
 * inside of one: the command is a session, and yields as one. A kernel that does not weigh sessions refuses the write.
 */
const YIELDING = [
  ...['sh', '-c', `{ echo ${LOW_PRIORITY} >/proc/self/autogroup; } 2>/dev/null; exec nice -n ${LOW_PRIORITY} "$@"`],
  'sh',
];

/** Runs a command to its end, and resolves with what went wrong, if anything did. Never rejects. */
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
      // What it left behind must not take the ports or the cores of the next.
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
