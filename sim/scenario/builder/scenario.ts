/**
 * Scenarios in TypeScript, for what YAML cannot do: compute. Each is in a separate file, `NAME.scenario.ts`:
 *     import { ms, scenario } from 'ringback-lab/scenario';
 *     export default scenario('direct/cancel', { actors: { alice: { user: 'alice' }, bob: { user: 'bob' } } },
 *       ({ alice }, { expect }) => {
 *         alice.dial({ callee: 'bob' });
 *         expect({ 'bob.call.state': 'ringing' }, { within: '1s' });
 *         alice.cancel();
 *         expect({ 'bob.call.result': 'canceled' }, { within: '1s' });
 *       });
 * The function builds the same document as a YAML file. The same schemas read it, and it runs the same.
 */
import { spanText, type Span } from '../../format/duration.ts';
import { BuiltScenario, callerLine } from './built-scenario.ts';
import { Recorder } from './recorder.ts';
import type { Actors, Case, Head, Moment, NoCase, ActorsOfScenario, StepFunctions } from './words.ts';

export type {
  Acting,
  Actors,
  Case,
  Expected,
  Head,
  Moment,
  ActorsOfScenario as People,
  StepFunctions as Telling,
  Wanted,
} from './words.ts';
export type { BuiltScenario } from './built-scenario.ts';
export type { Reference } from '../../format/reference.ts';
export type { Span } from '../../format/duration.ts';

/**
 * Builds a scenario.
 * @param name - a path of words, like direct/offer-retry.
 * @param define - defines the steps, in their order, with its arguments: the users by name, and the other verbs.
 * @throws TypeError when `define` is asynchronous.
 */
export function scenario<const A extends Actors, const C extends Case = NoCase>(
  name: string,
  head: Head<A, C>,
  define: (actors: ActorsOfScenario<A>, steps: StepFunctions<A, C>) => void,
): BuiltScenario {
  const line = callerLine();
  const recorder = new Recorder();
  const actors = Object.fromEntries(
    Object.entries(head.actors).map(([actor, { ...own }]) => [actor, recorder.person(actor, own)]),
  );
  const returned: unknown = define(actors as ActorsOfScenario<A>, stepFunctionsOf<A, C>(recorder));
  recorder.end();
  if (returned instanceof Promise) {
    returned.catch(() => undefined);
    throw new TypeError('the function of a scenario defines its steps synchronously: it must not be async');
  }
  return new BuiltScenario({ scenario: name, ...head, steps: recorder.steps }, line, recorder.lines);
}

function stepFunctionsOf<A extends Actors, C extends Case>(recorder: Recorder): StepFunctions<A, C> {
  const bounded = <B extends { readonly since?: Moment }>({ since, ...bounds }: B) => ({
    ...bounds,
    since: since?.label,
  });
  const steps: StepFunctions<Actors, Case> = {
    expect: (expect, bounds = {}) => recorder.add({ expect, ...bounded(bounds) }),
    see: (see, bounds = {}) => recorder.add({ see, ...bounded(bounds) }),
    never: (never, always = {}) => recorder.add({ never, ...always }),
    fault: (fault, bounds = {}) => recorder.add({ fault, ...bounds }),
    clear: (broken, always = {}) => recorder.add({ clear: broken.name, ...always }),
    wait: (wait, always = {}) => recorder.add({ wait, ...always }),
    use: (path) => void recorder.add({ use: path }),
    $case: new Proxy({}, { get: (_, key) => `$case.${String(key)}` }),
    $timers: { ring: '$timers.ring', connection: '$timers.connection' },
  };
  return steps as unknown as StepFunctions<A, C>;
}

/** Returns a computed span of time. @param milliseconds - its length. */
export const ms = (milliseconds: number): Span => spanText(milliseconds);
