/** The messages that a fault affects, among those that it concerns. Default: all. */
export interface Selection {
  /** Only the first messages, this many. */
  readonly first?: number | undefined;
  /** Only the n-th message. */
  readonly nth?: number | undefined;
  /** This many messages, and no more. */
  readonly times?: number;
  /** Each message with this probability. A fault without messages occurs with this probability, or not at all. */
  readonly p?: number;
}

/** Returns a function that decides for each message whether the fault affects it. */
export function selector({ first, nth, times, p }: Selection, random: () => number): () => boolean {
  let met = 0;
  let affected = 0;
  return () => {
    met += 1;
    if (nth !== undefined && met !== nth) return false;
    if (first !== undefined && met > first) return false;
    if (times !== undefined && affected >= times) return false;
    if (p !== undefined && random() >= p) return false;
    affected += 1;
    return true;
  };
}
