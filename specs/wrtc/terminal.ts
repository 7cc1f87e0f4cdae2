/** Runs the built `ringback`, and lets a test wait for its output. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as v from 'valibot';
import { callReport } from '../../cli/headless/messages.ts';
import { requirement } from '../../cli/requirements.ts';
import { scaled } from '../../tools/run/machine-factor.ts';

const MAIN = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));

/** The report of a call with the results of its requirements, as `--json` prints it. */
const judgedReport = v.object({ ...callReport.entries, requirements: v.array(requirement) });

export interface Terminal {
  readonly process: ChildProcess;
  /** The output so far. */
  readonly out: string;
  readonly err: string;
  /** Resolves when stdout and stderr together match. Rejects at the deadline. */
  saw(what: RegExp, withinMs?: number): Promise<void>;
  /** Resolves with the exit code. Rejects at the deadline. */
  exited(withinMs?: number): Promise<number | null>;
  /** Returns the one JSON object on stdout, parsed as a report. */
  json(): v.InferOutput<typeof judgedReport>;
  kill(): void;
}

/** @param openFiles - how many files it may open. Default: the limit of the tests. */
export function ringback(
  words: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  openFiles?: number,
): Terminal {
  if (!existsSync(MAIN)) throw new Error('The command is not built: run "npm run build" first.');
  const command = [process.execPath, MAIN, ...words];
  const limit = openFiles === undefined ? '' : `ulimit -n ${openFiles} && `;
  const child = spawn('sh', ['-c', `${limit}exec "$@"`, 'sh', ...command], {
    // Only the variables it needs: a NO_COLOR or RINGBACK_SERVER of the environment must not affect a test.
    env: { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let out = '';
  let err = '';
  const changed = new Set<() => void>();
  const wake = () => {
    for (const one of changed) one();
  };
  child.stdout.on('data', (chunk: Buffer) => {
    out += String(chunk);
    wake();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    err += String(chunk);
    wake();
  });
  let exitCode: number | null | undefined;
  child.on('close', (code) => {
    exitCode = code;
    wake();
  });

  /** Checks now and at every change, until there is an answer or the deadline. */
  const until = <T>(check: () => T | undefined, withinMs: number, wanted: string) =>
    new Promise<T>((resolve, reject) => {
      const finish = (act: () => void) => {
        clearTimeout(deadline);
        changed.delete(look);
        act();
      };
      const look = () => {
        try {
          const found = check();
          if (found !== undefined) finish(() => resolve(found));
        } catch (error) {
          finish(() => reject(error));
        }
      };
      const deadline = setTimeout(() => {
        finish(() =>
          reject(new Error(`ringback ${words.join(' ')}: no ${wanted} within ${withinMs} ms\n${out}${err}`)),
        );
      }, withinMs);
      changed.add(look);
      look();
    });

  return {
    process: child,
    get out() {
      return out;
    },
    get err() {
      return err;
    },
    async saw(what, withinMs = scaled(20_000)) {
      await until(
        () => {
          if (what.test(out) || what.test(err)) return true;
          if (exitCode !== undefined) throw new Error(`ended with ${exitCode} before ${what}\n${out}${err}`);
          return undefined;
        },
        withinMs,
        String(what),
      );
    },
    exited: (withinMs = scaled(30_000)) => until(() => exitCode, withinMs, 'exit'),
    json: () => v.parse(judgedReport, JSON.parse(out)),
    kill() {
      child.kill('SIGKILL');
    },
  };
}
