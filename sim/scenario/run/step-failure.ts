import type { Place } from '../format/tree.ts';

/** A step did not come to what it says. */
export class StepFailure extends Error {
  readonly place: Place;

  /**
   * @param message what was expected, and what came nearest.
   * @param options `cause`: what an action failed with.
   */
  constructor(place: Place, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StepFailure';
    this.place = place;
  }
}
