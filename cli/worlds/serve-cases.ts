import type { CaseResult } from '../../sim/scenario/run/run-scenario.ts';
import type { CaseAssignment, HostEvent } from './host-messages.ts';

/** Runs the cases that the parent of this process sends, one after another. Ends the process with its parent. */
export function serveCases(run: (assignment: CaseAssignment) => Promise<CaseResult>): void {
  const emit = (event: HostEvent) => {
    // Without its parent this process has no purpose, so it exits too.
    if (process.connected) process.send?.(event);
  };
  process.on('message', (assignment: CaseAssignment) => {
    void run(assignment).then((result) => emit({ type: 'result', result }));
  });
  process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
  // Ctrl-C reaches the whole process group. The parent handles it.
  process.on('SIGINT', () => undefined);
  process.on('SIGTERM', () => undefined);
  emit({ type: 'ready' });
}
