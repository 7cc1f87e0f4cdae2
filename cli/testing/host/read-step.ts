/** The reader of a step that a test asks for. It uses the schemas and the messages of scenario files. */
import { InvalidFile, type Place, Written } from '../../../sim/format/source.ts';
import { scenarioOf } from '../../../sim/scenario/format/read-scenario.ts';
import type { Scenario, Step } from '../../../sim/scenario/format/tree.ts';

/** The error of a request that is written wrongly. The message is one line. */
export class WrongUse extends Error {}

/** The actors of a scenario without steps. @throws WrongUse for a name that cannot be one. */
export function readActors(actors: unknown): Scenario['actors'] {
  return read({ actors, steps: [] }, { file: 'test', line: 1, column: 1 }).actors;
}

/** Reads one step. @throws WrongUse for the first fault that is found. */
export function readStep(actors: Scenario['actors'], written: object, place: Place): Step {
  const [step] = read({ actors, steps: [written] }, place).steps;
  if (!step) throw new WrongUse('there is no step');
  return step;
}

function read(document: object, place: Place): Scenario {
  try {
    return scenarioOf(new GivenStep({ scenario: 'test', ...document }, place), () => undefined);
  } catch (error) {
    if (!(error instanceof InvalidFile)) throw error;
    throw new WrongUse([...new Set(error.faults.map(({ message }) => message))].join('; '), { cause: error });
  }
}

/** A document that a test has made, with one place for all of it. */
class GivenStep extends Written {
  readonly value: unknown;
  readonly #place: Place;

  constructor(value: unknown, place: Place) {
    super(place.file);
    this.value = value;
    this.#place = place;
  }

  override placeOf(): Place {
    return this.#place;
  }
}
