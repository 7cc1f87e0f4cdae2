import { CallError } from '../../../src/protocol/errors.ts';
import { StepFailure } from '../run/step.ts';
import { ActionImpossible } from '../run/world.ts';

/**
 * Returns whether the error is more than a refusal. A refusal has a code. An action that cannot be tried is no fault
 * of the library.
 */
export function isCrash(error: unknown): boolean {
  if (!(error instanceof StepFailure)) return true;
  const { cause } = error;
  if (cause === undefined || cause instanceof ActionImpossible) return false;
  return !(cause instanceof CallError);
}
