import type { Place } from '../../format/source.ts';

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
