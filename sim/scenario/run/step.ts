import { catalogueEntry } from '../../../src/protocol/errors.ts';
import type { Place } from '../../format/source.ts';
import type { Step } from '../format/tree.ts';

/** A step with this verb. */
export type StepOf<V extends Step['verb']> = Extract<Step, { verb: V }>;

/** The failure of a step. */
export class StepFailure extends Error {
  readonly place: Place;

  /**
   * @param message - the expected value, and the nearest actual one.
   * @param options - `cause`: the error of an action.
   */
  constructor(place: Place, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StepFailure';
    this.place = place;
  }
}

/** Returns the message about a refused action. Some refusals of the exchange have a name, and no message. */
export function refusalText(act: string, message: string, code: number | undefined): string {
  const words = message || catalogueEntry(code ?? 0)?.name || 'refused';
  return `${act} failed: ${words}${code === undefined ? '' : ` (${code})`}`;
}
