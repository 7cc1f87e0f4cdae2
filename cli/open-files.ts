import { CommandError } from './command-error.ts';
import { EXIT } from './exit-codes.ts';

/** The minimum for a server: Node reads hundreds of modules at once, and each client takes one more file. */
const LEAST = 512;

/**
 * Checks how many files the process may open, before the server is loaded.
 *
 * @throws CommandError when the limit is too low. The message states the limit and the remedy.
 */
export function checkOpenFiles(limit = openFilesLimit()): void {
  if (limit >= LEAST) return;
  throw new CommandError(
    `The process may open ${limit} files, and a server needs ${LEAST} at least: raise its limit (ulimit -n ${LEAST}).`,
    EXIT.environment,
  );
}

/** Returns the limit of the system (RLIMIT_NOFILE). Infinity without a limit. */
function openFilesLimit(): number {
  const { report } = process as { report: typeof process.report & { excludeNetwork?: boolean } };
  const { excludeNetwork = false } = report;
  // Resolving the names of addresses would take seconds.
  report.excludeNetwork = true;
  const { userLimits } = report.getReport() as { userLimits?: { open_files?: { soft?: number | 'unlimited' } } };
  report.excludeNetwork = excludeNetwork;
  const soft = userLimits?.open_files?.soft;
  return typeof soft === 'number' ? soft : Infinity;
}
