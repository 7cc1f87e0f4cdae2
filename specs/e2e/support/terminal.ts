/** The built `ringback` command as a child process. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from '@playwright/test';
import * as v from 'valibot';
import { callReport, type CallReport } from '../../../cli/headless/messages.ts';
import { scaled } from '../../../tools/run/machine-factor.ts';

const MAIN = fileURLToPath(new URL('../../../dist/cli/main.js', import.meta.url));

export interface Terminal {
  /** Waits until the progress output contains the text. */
  says(what: RegExp): Promise<void>;
  /** Returns the report of the call when the process exits with 0, or with `exitCode`. */
  report(exitCode?: number): Promise<CallReport>;
  /** Sends SIGINT, as Ctrl-C does. */
  interrupt(): void;
  kill(): void;
}

/** Runs `ringback WORDS --json`. */
export function ringback(server: string, ...words: readonly string[]): Terminal {
  if (!existsSync(MAIN)) throw new Error('The command is not built: run "npm run build" first.');
  const child = spawn(process.execPath, [MAIN, ...words, '--json', '--server', server], {
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'] },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let out = '';
  let progress = '';
  let exitCode: number | null | undefined;
  child.stdout.on('data', (chunk: Buffer) => void (out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => void (progress += chunk.toString()));
  child.on('close', (code) => void (exitCode = code));
  return {
    says: (what) => expect.poll(() => progress, { timeout: scaled(20_000) }).toMatch(what),
    async report(wanted = 0) {
      await expect
        .poll(() => exitCode, { timeout: scaled(30_000), message: `how ${words.join(' ')} ends` })
        .toBe(wanted);
      return v.parse(callReport, JSON.parse(out));
    },
    interrupt: () => void child.kill('SIGINT'),
    kill: () => void child.kill('SIGKILL'),
  };
}
