/** The actor and the action of a `do` that takes them from the case: `$case.who.$case.act`. */
import type { Step } from './tree.ts';

type Values = Readonly<Record<string, unknown>>;
export type DoStep = Extract<Step, { verb: 'do' }>;

const REFERENCE = /\$case\.(\w+)/g;

/** Returns whether the actor or the action depends on the case. */
export const variesByCase = ({ do: act }: Pick<DoStep, 'do'>): boolean => act.includes('$case.');

/** Returns the step as it is in a case. */
export function inCase<S extends Step>(step: S, values: Values): S {
  if (step.verb !== 'do' || !variesByCase(step)) return step;
  return { ...step, do: step.do.replaceAll(REFERENCE, (_, key: string) => textOf(values[key])) };
}

/** Returns a value as a text. A value that is no text, and so neither an actor nor an action, is shown as JSON. */
const textOf = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? 'undefined'));
