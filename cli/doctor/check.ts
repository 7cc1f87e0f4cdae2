/** The checks of `ringback doctor`, and the runner that gives each of them a deadline. */
import type { Clock } from '../../src/common/clock.ts';

/** `ok`: works. `warning`: works, with a risk. `fail`: does not work. `skipped`: not checked, and why. */
export type CheckState = 'ok' | 'warning' | 'fail' | 'skipped';

/** What a check found. No text has a token, a password or an address with credentials. */
export interface Finding {
  readonly state: CheckState;
  readonly text: string;
  /** The command or the setting that removes a warning or a failure. */
  readonly fix?: string;
}

export interface Check {
  readonly name: string;
  /** The deadline. Milliseconds, default 10 s. */
  readonly limitMs?: number;
  /** @param signal - aborts at the deadline and at Ctrl-C. The check then frees what it has started. */
  run(signal: AbortSignal): Promise<Finding>;
}

export interface CheckResult extends Finding {
  readonly name: string;
}

const LIMIT_MS = 10_000;

export const ok = (text: string): Finding => ({ state: 'ok', text });
export const warning = (text: string, fix: string): Finding => ({ state: 'warning', text, fix });
export const fail = (text: string, fix: string): Finding => ({ state: 'fail', text, fix });
export const skipped = (text: string): Finding => ({ state: 'skipped', text });

interface RunOptions {
  readonly clock: Pick<Clock, 'after'>;
  /** Aborts at Ctrl-C. No result is reported after that. */
  readonly signal: AbortSignal;
  /** Receives each result, in the order of the checks. */
  readonly onResult: (result: CheckResult) => void;
}

/** Runs all checks at once. Returns their results in the order of the checks, those until an abort. */
export async function runChecks(
  checks: readonly Check[],
  { clock, signal, onResult }: RunOptions,
): Promise<CheckResult[]> {
  const running = checks.map((check) => runCheck(check, clock, signal));
  const results: CheckResult[] = [];
  for (const one of running) {
    const result = await one;
    if (signal.aborted) break;
    results.push(result);
    onResult(result);
  }
  return results;
}

/** Runs one check. Never rejects: an error and a missed deadline are failures. */
async function runCheck(check: Check, clock: Pick<Clock, 'after'>, outer: AbortSignal): Promise<CheckResult> {
  const { name, limitMs = LIMIT_MS } = check;
  const own = new AbortController();
  const signal = AbortSignal.any([outer, own.signal]);
  let stop = (): void => undefined;
  const late = new Promise<Finding>((resolve) => {
    stop = () =>
      resolve(fail(`no result within ${limitMs / 1_000} s`, 'try again on an idle machine, or check the network'));
  });
  const limit = clock.after(limitMs, () => own.abort());
  signal.addEventListener('abort', stop, { once: true });
  try {
    const found = signal.aborted ? late : Promise.race([check.run(signal), late]);
    return { name, ...(await found) };
  } catch (error) {
    return { name, ...fail(`the check failed: ${wordOf(error)}`, 'set RINGBACK_DEBUG=1 for details, and report it') };
  } finally {
    limit.cancel();
    signal.removeEventListener('abort', stop);
  }
}

/** Returns the code or the name of an error. Its message may have an address with credentials. */
export function wordOf(error: unknown): string {
  return codeOf(error) ?? (error instanceof Error ? error.name : 'unknown error');
}

/** Returns the cause of a failed request in brackets, after a space. Empty without a code, since a name says nothing. */
export function causeOf(error: unknown): string {
  const code = codeOf(error);
  if (code !== undefined) return ` (${code})`;
  // Node, like browsers, sends nothing to some ports.
  const isBlocked = error instanceof Error && error.cause instanceof Error && error.cause.message === 'bad port';
  return isBlocked ? ' (browsers block this port)' : '';
}

/** Returns the code of an error, or of its cause. */
export function codeOf(error: unknown): string | undefined {
  for (let one = error, depth = 0; one instanceof Error && depth < 5; one = one.cause, depth += 1) {
    if ('code' in one && typeof one.code === 'string') return one.code;
  }
  return undefined;
}
