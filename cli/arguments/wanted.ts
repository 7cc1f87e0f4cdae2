/** The requirements that options of `dial` and `answer` set on a call, and the contradictions between options. Pure. */
import type { EndResult } from '../../src/protocol/enumerations.ts';

export const MEDIA_KINDS = ['audio', 'video'] as const;
export type MediaKind = (typeof MEDIA_KINDS)[number];

/** The requirements that the user gave. */
export interface Wanted {
  readonly require: readonly MediaKind[];
  readonly minMos?: number | undefined;
  /** Milliseconds from the dial, or from the incoming ring, until the call connects. */
  readonly maxSetupMs?: number | undefined;
}

/** The results of calls that connected, or may have connected. Media can be required only of these. */
const CONNECTED_RESULTS: readonly EndResult[] = ['completed', 'connection_lost', 'unknown'];

/**
 * Returns the error for an option that contradicts the expected result. Null without a contradiction.
 *
 * @param refusal - the option that prevents the call from connecting. Undefined without one.
 */
export function contradiction(
  { require, minMos, maxSetupMs }: Wanted,
  expected: EndResult,
  refusal?: string,
): string | null {
  const asked = [
    ...(require.length > 0 ? ['--require'] : []),
    ...(minMos === undefined ? [] : ['--min-mos']),
    ...(maxSetupMs === undefined ? [] : ['--max-setup']),
  ];
  const reason = refusal ?? (CONNECTED_RESULTS.includes(expected) ? undefined : `--expect ${expected}`);
  if (asked.length === 0 || reason === undefined) return null;
  return `${asked[0]} cannot be met with ${reason}: such a call never connects.`;
}
