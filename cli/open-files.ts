import { CommandError } from './command-error.ts';
import { EXIT } from './exit-codes.ts';

/** A server starts with no fewer: Node reads hundreds of modules at once. Every client takes one more. */
const LEAST = 512;

/**
 * Checks how many files the process may open, before the server is loaded.
 *
 * @throws CommandError the limit is too low: the message has it, and what to do.
 */
export function checkOpenFiles(limit = openFilesLimit()): void {
  if (limit >= LEAST) return;
  throw new CommandError(
    `The process may open ${limit} files, and a server needs ${LEAST} at least: raise its limit (ulimit -n ${LEAST}).`,
    EXIT.environment,
  );
}

/** Returns the limit of the system (RLIMIT_NOFILE); Infinity where it has none. */
function openFilesLimit(): number {
  // Looking up the names of addresses would take seconds.
  const report = Object.assign(process.report, { excludeNetwork: true });
  const { userLimits } = report.getReport() as { userLimits?: { open_files?: { soft?: number | 'unlimited' } } };
  const soft = userLimits?.open_files?.soft;
  return typeof soft === 'number' ? soft : Infinity;
}
