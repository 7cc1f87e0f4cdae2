/** Runs a command in a process group of its own, so that all of it can be ended: when its time is up, and on Ctrl-C. */
import { type ChildProcess, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';

export interface CommandEnd {
  /** What went wrong, in plain words; undefined where it exited with 0. */
  readonly trouble?: string;
}

export interface CommandOptions {
  /** Added to the environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** Takes what it prints, whichever way; without it the command prints for itself. */
  readonly say?: (text: string) => void;
  /** Whether others go first, where they want the processor as well. */
  readonly yields?: boolean;
}

const INTERRUPTED = 130;
const KILL_AFTER_MS = 5_000;
/** What it printed last has come through by then, also where something that outlived it holds its pipes open. */
const DRAINED_AFTER_MS = 1_000;
/** Of niceness: a tenth of what the others may have, so that it goes on where they take all. */
const LOW_PRIORITY = 10;
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

/** Linux may weigh whole sessions against each other, and then the niceness counts only inside of one. */
function yieldAsSession(pid: number): void {
  try {
    writeFileSync(`/proc/${pid}/autogroup`, String(LOW_PRIORITY));
  } catch {
    // Not weighed here: the niceness of the processes counts.
  }
}

export function runCommand(
  command: readonly string[],
  limitMs: number,
  { env = {}, say, yields = false }: CommandOptions = {},
): Promise<CommandEnd> {
  return new Promise((resolve) => {
    const [program = '', ...args] = yields ? ['nice', '-n', String(LOW_PRIORITY), ...command] : command;
    const output = say ? 'pipe' : 'inherit';
    const child = spawn(program, args, {
      stdio: ['ignore', output, output],
      detached: true,
      env: { ...process.env, ...env },
    });
    running.add(child);
    if (yields && child.pid !== undefined) yieldAsSession(child.pid);
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8');
      stream?.on('data', (text: string) => say?.(text));
    }
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
      const told = () => resolve(trouble === undefined ? {} : { trouble });
      if (!say || child.pid === undefined) return told();
      const drained = setTimeout(told, DRAINED_AFTER_MS);
      child.once('close', () => {
        clearTimeout(drained);
        told();
      });
    };
    child.once('error', (error) => end(`did not start: ${error.message}`));
    child.once('exit', (code, signal) => {
      if (isLate) end(`was stopped after ${Math.round(limitMs / 1000)} s`);
      else if (signal) end(`was ended by ${signal}`);
      else end(code === 0 ? undefined : `exited with ${code}`);
    });
  });
}
