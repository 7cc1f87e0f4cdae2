import { ACTION_PARAMETERS, type ActionName } from '../format/actions.ts';
import type { Reference } from '../../format/reference.ts';
import { callerLine, type Line } from './built-scenario.ts';
import type { Acting, ActorHead, BrokenThing, Captured } from './words.ts';

type Written = Record<string, unknown>;

/** Records the steps of a scenario in their order. */
export class Recorder {
  readonly steps: Written[] = [];
  readonly lines: (Line | undefined)[] = [];
  #isOver = false;

  /** Ends the recording. A later step is refused, since it would never run. */
  end(): void {
    this.#isOver = true;
  }

  /** Adds a step. Later steps can refer to its result. */
  add(step: Written): RecordedStep {
    if (this.#isOver) throw new Error('the scenario is over: its function must define every step before it returns');
    const written = withoutAbsent(step);
    this.steps.push(written);
    this.lines.push(callerLine());
    return new RecordedStep(written, this.steps.length);
  }

  /** Returns the actions of a device. Each call adds a step. */
  acting(name: string): Acting {
    const actions = Object.entries(ACTION_PARAMETERS).map(([action, { entries }]) => {
      const takesValues = Object.keys(entries).length > 0;
      const act = (first: Written = {}, second: Written = {}) =>
        this.add(
          takesValues
            ? { do: `${name}.${action}`, with: Object.keys(first).length > 0 ? first : undefined, ...second }
            : { do: `${name}.${action}`, ...first },
        );
      return [action as ActionName, act];
    });
    return Object.fromEntries(actions) as Acting;
  }

  /** Returns the actions of a user, or those of each of the user's devices. */
  person(name: string, { devices }: ActorHead): Acting | Readonly<Record<string, Acting>> {
    if (!devices) return this.acting(name);
    return Object.fromEntries(devices.map((device) => [device, this.acting(`${name}.${device}`)]));
  }
}

/** A recorded step. It gets a label when another step refers to it. */
class RecordedStep implements BrokenThing, Captured {
  readonly #step: Written;
  readonly #number: number;

  constructor(step: Written, number: number) {
    this.#step = step;
    this.#number = number;
  }

  get label(): string {
    return this.#named('label', 'step');
  }

  get name(): string {
    return this.#named('as', 'fault');
  }

  get id(): Reference {
    return `$${this.#named('as', 'call')}.id`;
  }

  #named(key: 'label' | 'as', word: string): string {
    const known = this.#step[key];
    if (typeof known === 'string') return known;
    const made = `${word}${this.#number}`;
    this.#step[key] = made;
    return made;
  }
}

/** Removes undefined entries: `{ within: undefined }` becomes `{}`. */
const withoutAbsent = (step: Written): Written =>
  Object.fromEntries(Object.entries(step).filter(([, value]) => value !== undefined));
