import { EXIT } from '../exit-codes.ts';
import type { SuiteOutcome } from './run-suite.ts';

/** The exit code of a run: 0 only where everything that was asked for was run, and holds; nothing at all shows nothing. */
export function suiteExitCode(
  { passed, failed, complete, unsteady }: Pick<SuiteOutcome, 'passed' | 'failed' | 'complete' | 'unsteady'>,
  interrupted: boolean,
): number {
  if (interrupted) return EXIT.interrupted;
  if (unsteady.length > 0) return EXIT.unsteady;
  if (failed > 0) return EXIT.failed;
  return complete && passed > 0 ? EXIT.ok : EXIT.incomplete;
}
