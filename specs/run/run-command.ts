/** Runs a command in a process group of its own, so that all of it can be ended: when its time is up, and on Ctrl-C. */
import { type ChildProcess, spawn } from 'node:child_process';

export interface CommandEnd {
  /** What went wrong, in plain words; undefined where it exited with 0. */
  readonly trouble?: string;
}

const INTERRUPTED = 130;
const KILL_AFTER_MS = 5_000;
const running = new Set<ChildProcess>();

function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // The whole group has ended.
  }
}

/** From now on Ctrl-C ends every command that runs, then this process: in groups of their own they do not hear it. */
export function endAllOnInterrupt(): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      for (const child of running) signalGroup(child, 'SIGKILL');
      process.exit(INTERRUPTED);
    });
  }
}

export function runCommand(
  [command = '', ...args]: readonly string[],
  limitMs: number,
  env: Readonly<Record<string, string>> = {},
): Promise<CommandEnd> {
  return new Promise((resolve) => {
    const child = spawn(command, args, { stdio: 'inherit', detached: true, env: { ...process.env, ...env } });
    running.add(child);
    let isLate = false;
    let kill: NodeJS.Timeout | undefined;
    const limit = setTimeout(() => {
      isLate = true;
      signalGroup(child, 'SIGTERM');
      kill = setTimeout(() => signalGroup(child, 'SIGKILL'), KILL_AFTER_MS);
    }, limitMs);
    const end = (trouble?: string) => {
      clearTimeout(limit);
      clearTimeout(kill);
      running.delete(child);
      // What it left behind must not take the ports or the cores of the next.
      signalGroup(child, 'SIGKILL');
      resolve(trouble === undefined ? {} : { trouble });
    };
    child.once('error', (error) => end(`did not start: ${error.message}`));
    child.once('exit', (code, signal) => {
      if (isLate) end(`was stopped after ${Math.round(limitMs / 1000)} s`);
      else if (signal) end(`was ended by ${signal}`);
      else end(code === 0 ? undefined : `exited with ${code}`);
    });
  });
}
