/** What the frame tells beside its tabs. `null`: not known, and not shown. */
export interface FrameCounts {
  /** Messages not yet read, in all chats. */
  readonly unread: number | null;
  /** What a man has left to spend. */
  readonly coins: number | null;
}

export const NO_COUNTS: FrameCounts = { unread: null, coins: null };
