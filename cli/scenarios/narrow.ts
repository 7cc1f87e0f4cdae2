import { InvalidArgumentError } from 'commander';
import type { Scenario } from '../../sim/scenario/format/tree.ts';

export interface Shard {
  /** Counted from 1. */
  readonly part: number;
  readonly of: number;
}

/** The criteria that select scenarios. */
export interface Narrowing {
  readonly grep?: RegExp | undefined;
  readonly tag?: string | undefined;
  readonly shard?: Shard | undefined;
  /** The names of the scenarios that failed in the previous run. */
  readonly lastFailed?: readonly string[] | undefined;
}

/** Selects scenarios. Returns them with the number of excluded cases. */
export function narrow(
  scenarios: readonly Scenario[],
  { grep, tag, shard, lastFailed }: Narrowing,
): { chosen: Scenario[]; skipped: number } {
  const chosen = scenarios
    .filter(
      ({ scenario, tags }) =>
        (grep?.test(scenario) ?? true) &&
        (tag === undefined || tags.includes(tag)) &&
        (lastFailed?.includes(scenario) ?? true),
    )
    .filter((_, at) => shard === undefined || at % shard.of === shard.part - 1);
  const cases = (list: readonly Scenario[]) => list.reduce((sum, { cases: own }) => sum + (own?.length ?? 1), 0);
  return { chosen, skipped: cases(scenarios) - cases(chosen) };
}

/** Parses `2/4`. */
export function parseShard(text: string): Shard {
  const [, part, of] = /^(\d{1,4})\/(\d{1,4})$/.exec(text)?.map(Number) ?? [];
  if (part === undefined || of === undefined || part < 1 || part > of)
    throw new InvalidArgumentError('The part must look like 2/4.');
  return { part, of };
}
