/** Finds the requirements that the test results prove. */
import type { TestResult } from '../run/results.ts';
import type { Requirement } from './requirements.ts';

export interface ProofRow extends Requirement {
  readonly status: 'proven' | 'missing';
  /** The titles of the tests that prove it. */
  readonly by: readonly string[];
}

export interface Proof {
  readonly total: number;
  readonly proven: number;
  readonly rows: readonly ProofRow[];
}

/** Finds the ids that a title quotes in full. A longer number, or a following letter, makes another id. */
export const quotedIds = (title: string): string[] => title.match(/(?<![A-Za-z0-9-])[A-Z]+-\d+(?![A-Za-z0-9])/g) ?? [];

/** A requirement is proven when a passing test quotes it and no failing test does. A skipped test does not count. */
export function prove(requirements: readonly Requirement[], results: readonly TestResult[]): Proof {
  const titles = { passed: new Map<string, string[]>(), failed: new Map<string, string[]>() };
  for (const { title, state } of results) {
    if (state === 'skipped') continue;
    for (const id of new Set(quotedIds(title))) titles[state].set(id, [...(titles[state].get(id) ?? []), title]);
  }
  const rows = requirements.map((requirement): ProofRow => {
    const { id, area, statement } = requirement;
    const by = titles.failed.has(id) ? [] : (titles.passed.get(id) ?? []);
    return { id, area, statement, status: by.length > 0 ? 'proven' : 'missing', by };
  });
  return { total: rows.length, proven: rows.filter(({ status }) => status === 'proven').length, rows };
}

/** Returns quoted ids without a requirement, although their prefix has some: typing errors. */
export function strayIds(requirements: readonly Requirement[], results: readonly TestResult[]): string[] {
  const known = new Set(requirements.map(({ id }) => id));
  const prefixes = new Set([...known].map((id) => id.split('-')[0]));
  const quoted = new Set(results.flatMap(({ title }) => quotedIds(title)));
  return [...quoted].filter((id) => prefixes.has(id.split('-')[0]) && !known.has(id)).toSorted();
}
