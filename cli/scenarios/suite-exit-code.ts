import { EXIT } from '../exit-codes.ts';
import type { SuiteOutcome } from './run-suite.ts';

/** The exit code of a run: 0 only where everything that was asked for was run, and holds; nothing at all shows nothing. */
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
