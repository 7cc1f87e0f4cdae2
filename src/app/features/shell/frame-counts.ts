import type { ReadableStore } from '../../../common/store.ts';
import { createArea } from '../../core/hooks/create-area.ts';
/** The numbers beside the tabs of the frame. A number is `null` before it is known, and is then not shown. */
export interface FrameCounts {
  /** The unread messages in all chats. */
  readonly unread: number | null;
  /** The coins that a man can spend. */
  readonly coins: number | null;
}

export const NO_COUNTS: FrameCounts = { unread: null, coins: null };

export const [FrameCountsProvider, useFrameCounts] = createArea<ReadableStore<FrameCounts>>('the counts');
