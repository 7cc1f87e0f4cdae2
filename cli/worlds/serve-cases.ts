import type { CaseResult } from '../../sim/scenario/run/run-scenario.ts';
import type { CaseAssignment, HostEvent } from './host-messages.ts';

/**
 * Runs the cases that the parent of this process sends, one after another. The parent may send the next case early, so
 * that this process does not wait for it. Ends the process with its parent.
 */
export function serveCases(run: (assignment: CaseAssignment) => Promise<CaseResult>): void {
  const emit = (event: HostEvent) => {
    // Without its parent this process has no purpose, so it exits too.
    if (process.connected) process.send?.(event);
  };
  let last: Promise<void> = Promise.resolve();
  process.on('message', (assignment: CaseAssignment) => {
    last = last.then(() => run(assignment)).then((result) => emit({ type: 'result', result }));
  });
  process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
  // Ctrl-C reaches the whole process group. The parent handles it.
  process.on('SIGINT', () => undefined);
  process.on('SIGTERM', () => undefined);
  emit({ type: 'ready' });
}
