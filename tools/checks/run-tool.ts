/** Runs a checker of another project, and converts its output to an outcome. */
import { spawnSync } from 'node:child_process';
import { stripVTControlCharacters } from 'node:util';
import { ONE_GO_THREAD } from '../run/go-tools.ts';
import { scaled } from '../run/machine-factor.ts';
import type { CheckOutcome } from './outcome.ts';

/** The limit for a tool that hangs. Its normal duration depends on the machine. */
const TIME_LIMIT_MS = scaled(240_000);

/**
 * Runs `node_modules/.bin/<tool>`. `readLooked` finds in the output how much the tool read. A tool that passes without
 * this
 * statement has read nothing, which is a fault.
 */
export function runTool(
  tool: string,
  args: readonly string[],
  readLooked: (output: string) => string | undefined,
): CheckOutcome {
  const { status, signal, error, stdout, stderr } = spawnSync(`node_modules/.bin/${tool}`, args, {
    encoding: 'utf8',
    env: { ...process.env, ...ONE_GO_THREAD },
    timeout: TIME_LIMIT_MS,
    maxBuffer: 64 * 1024 * 1024,
  });
  if (error || signal) return { looked: 'stopped', faults: [`${tool} did not run: ${error?.message ?? signal}`] };
  const output = stripVTControlCharacters(`${stdout}${stderr}`).trim();
  const lines = output.split('\n').filter((line) => line.trim() !== '' && line !== 'Checking formatting...');
  const looked = readLooked(output);
  if (status !== 0) {
    return { looked: looked ?? 'failed', faults: lines.length > 0 ? lines : [`${tool}: exit ${status}`] };
  }
  if (looked === undefined || looked.startsWith('0 ')) {
    return {
      looked: 'nothing',
      faults: [`${tool} passed, but did not say that it read a file:`, ...lines],
    };
  }
  return { looked, faults: [] };
}
