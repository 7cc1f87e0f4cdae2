/** Selects the scenarios of a run, and their cases. */
import { didYouMean } from '../../sim/format/near-word.ts';
import type { Scenario } from '../../sim/scenario/format/tree.ts';
import { casesOf, type ScenarioCase } from '../../sim/scenario/run/cases.ts';
import type { Shard } from '../arguments/values.ts';
import { titleOf } from '../reporters/suite/suite-reporter.ts';
import { type ChosenLines, isAtLines } from './chosen-lines.ts';

/** The criteria that select scenarios and cases. */
export interface Narrowing {
  /** A pattern of the name of a scenario, or of the title of a case. */
  readonly grep?: RegExp | undefined;
  readonly grepInvert?: RegExp | undefined;
  readonly tag?: string | undefined;
  /** The name of a case, or its number among those of its scenario, from 1. */
  readonly case?: string | undefined;
  readonly shard?: Shard | undefined;
  /** The scenarios, or the titles of the cases, that failed when they ran last. */
  readonly lastFailed?: readonly string[] | undefined;
  readonly lines?: ChosenLines | undefined;
}

/** Selects scenarios, each with its selected cases. Returns them with the number of excluded cases. */
export function narrow(scenarios: readonly Scenario[], narrowing: Narrowing): { chosen: Scenario[]; skipped: number } {
  const { shard } = narrowing;
  const chosen = scenarios
    .flatMap((scenario) => withWanted(scenario, narrowing))
    .filter((_, at) => shard === undefined || at % shard.of === shard.part - 1);
  const cases = (list: readonly Scenario[]) => list.reduce((sum, { cases: own }) => sum + (own?.length ?? 1), 0);
  return { chosen, skipped: cases(scenarios) - cases(chosen) };
}

/** Returns the scenario with its selected cases, or nothing when none is selected. */
function withWanted(scenario: Scenario, narrowing: Narrowing): Scenario[] {
  if (narrowing.tag !== undefined && !scenario.tags.includes(narrowing.tag)) return [];
  const all = casesOf(scenario);
  const wanted = all.map((one, at) => isWanted(scenario, one, at, narrowing));
  if (!wanted.includes(true)) return [];
  if (!scenario.cases || !wanted.includes(false)) return [scenario];
  // The name of a case depends on the cases before it.
  const cases = all.flatMap(({ name, values }, at) => (wanted[at] ? [{ ...values, name }] : []));
  return [{ ...scenario, cases }];
}

function isWanted(
  scenario: Scenario,
  one: ScenarioCase,
  at: number,
  { grep, grepInvert, case: which, lastFailed, lines }: Narrowing,
): boolean {
  const names = [scenario.scenario, titleOf({ scenario: scenario.scenario, case: one.name })];
  const fits = (pattern: RegExp) => names.some((name) => pattern.test(name));
  return (
    (grep === undefined || fits(grep)) &&
    (grepInvert === undefined || !fits(grepInvert)) &&
    (which === undefined || isNamed(one, at, which)) &&
    (lastFailed === undefined || names.some((name) => lastFailed.includes(name))) &&
    (lines === undefined || isAtLines(scenario, at, lines))
  );
}

/** Returns whether a case has this name, or this number from 1. */
export const isNamed = ({ name }: ScenarioCase, at: number, which: string): boolean =>
  name !== undefined && (name === which || String(at + 1) === which);

/** The most names of cases in a message. */
const MOST_NAMES = 12;

/** The message about files without a scenario. */
export const NO_SCENARIO = 'These files have no scenario. A fragment runs only inside the scenarios that use it.';

/** Returns why nothing is selected, in one line. */
export function whyNone(found: readonly Scenario[], { case: which, lastFailed }: Narrowing): string {
  if (found.length === 0) return NO_SCENARIO;
  const names = found.flatMap((scenario) => casesOf(scenario).flatMap(({ name }) => name ?? []));
  if (which !== undefined && !found.some((scenario) => casesOf(scenario).some((one, at) => isNamed(one, at, which)))) {
    const meant = didYouMean(which, names);
    if (names.length === 0) return `No case is named ${which}: these scenarios have no cases.`;
    if (meant !== '' || names.length > MOST_NAMES) return `No case is named ${which}${meant}. --list prints the cases.`;
    return `No case is named ${which}. The cases are ${names.join('; ')}.`;
  }
  return lastFailed
    ? 'No scenario is left to run: none of these failed when it ran last.'
    : 'No scenario is left to run: the options exclude all of them.';
}
