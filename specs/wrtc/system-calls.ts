/** The system calls of a process, as strace prints them. */
import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** The reason why no process can be traced. Undefined when one can. */
export const NO_STRACE =
  spawnSync('strace', ['-o', '/dev/null', 'true']).status === 0
    ? undefined
    : 'strace is not here, or may watch nothing';

export interface SystemCalls {
  /** Returns the system calls since the start, one a line, with the paths of their files. */
  end(): Promise<string[]>;
}

/** Traces all threads of a process, from the moment this resolves. */
export async function watchSystemCalls(pid: number, names: readonly string[], file: string): Promise<SystemCalls> {
  const words = ['-f', '-y', '-s', '64', '-e', `trace=${names.join(',')}`, '-o', file, '-p', String(pid)];
  const strace = spawn('strace', words, { stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = new Promise<void>((resolve) => strace.once('close', () => resolve()));
  let said = '';
  await new Promise<void>((resolve, reject) => {
    strace.stderr.on('data', (chunk: Buffer) => {
      said += String(chunk);
      if (said.includes('attached')) resolve();
    });
    strace.once('close', () => reject(new Error(`strace did not attach: ${said}`)));
  });
  return {
    async end() {
      strace.kill('SIGINT');
      await ended;
      return completed(readFileSync(file, 'utf8').split('\n'));
    },
  };
}

/** Returns each call where it completed: another thread may have made calls since it began. */
function completed(lines: readonly string[]): string[] {
  const begun = new Map<string, string>();
  return lines.flatMap((line) => {
    const [, thread = '', text = line] = /^(\d+) +(.*)$/.exec(line) ?? [];
    const [, beginning] = /^(.*) <unfinished \.\.\.>$/.exec(text) ?? [];
    if (beginning !== undefined) {
      begun.set(thread, beginning);
      return [];
    }
    const [, end] = /^<\.\.\. \w+ resumed>(.*)$/.exec(text) ?? [];
    return [end === undefined ? text : `${begun.get(thread) ?? ''}${end}`];
  });
}
