/** What the options of `dial` and `answer` require of a call, and which of them contradict each other. Pure. */
import type { EndResult } from '../../src/protocol/enumerations.ts';

export const MEDIA_KINDS = ['audio', 'video'] as const;
export type MediaKind = (typeof MEDIA_KINDS)[number];

/** What a user asked for. */
export interface Wanted {
  readonly require: readonly MediaKind[];
  readonly minMos?: number | undefined;
  /** Milliseconds from the dial, or from the incoming ring, until the call connected. */
  readonly maxSetupMs?: number | undefined;
}

/** Results of calls that had been connected, or may have been: of the others no media can be required. */
const CONNECTED_RESULTS: readonly EndResult[] = ['completed', 'connection_lost', 'unknown'];

/**
 * Says which option no call can meet that ends as expected; null where there is none.
 *
 * @param refusal - the option by which no call connects, where there is one.
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
