import { EXIT } from '../exit-codes.ts';
import type { SuiteOutcome } from './run-suite.ts';

/**
 * Returns the exit code of a run: 0 only when every selected scenario was run and holds. An empty run proves nothing.
 */
export function suiteExitCode(
  {
    passed,
    failed,
    inconclusive,
    complete,
    unsteady,
  }: Pick<SuiteOutcome, 'passed' | 'failed' | 'inconclusive' | 'complete' | 'unsteady'>,
  interrupted: boolean,
): number {
  if (interrupted) return EXIT.interrupted;
  if (unsteady.length > 0) return EXIT.unsteady;
  if (failed > 0) return EXIT.failed;
  if (inconclusive > 0) return EXIT.inconclusive;
  return complete && passed > 0 ? EXIT.ok : EXIT.incomplete;
}
