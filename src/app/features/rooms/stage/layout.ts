/** The numbers of tiles of a grid. */
const GRIDS = [1, 2, 4, 6, 9] as const;

/** The grid of one page of participants. */
export interface Grid {
  /** The most tiles of a page. */
  readonly size: (typeof GRIDS)[number];
  readonly columns: number;
  readonly rows: number;
}

/**
 * Returns the smallest grid that has all participants, or the largest one of the window. A high window, as of a phone,
 * shows at most six tiles, since faces would be too small.
 */
export function gridOf(count: number, isHigh: boolean): Grid {
  const most = isHigh ? 6 : 9;
  const size = GRIDS.find((tiles) => tiles >= count && tiles <= most) ?? most;
  const wide = { 1: [1, 1], 2: [2, 1], 4: [2, 2], 6: [3, 2], 9: [3, 3] }[size] as [number, number];
  const [columns, rows] = isHigh ? [wide[1], wide[0]] : wide;
  return { size, columns, rows };
}

/** The most tiles of the strip beside the speaker. */
export const stripSize = (isHigh: boolean): number => (isHigh ? 3 : 5);

/** One page of a list. */
export interface Page<Item> {
  readonly items: readonly Item[];
  /** The number of the page from 0. A page that no longer exists is the last one. */
  readonly page: number;
  readonly pages: number;
}

export function pageOf<Item>(items: readonly Item[], page: number, size: number): Page<Item> {
  const pages = Math.max(1, Math.ceil(items.length / size));
  const shown = Math.min(Math.max(0, page), pages - 1);
  return { items: items.slice(shown * size, (shown + 1) * size), page: shown, pages };
}

/** The participants of the speaker view: one on the stage, the others in the strip. */
export interface SpeakerView<Item> {
  readonly onStage: Item | undefined;
  readonly others: readonly Item[];
}

/**
 * Returns the participant on the stage: the chosen one, else the one who spoke last, else the first other one, else this
 * user.
 */
export function speakerViewOf<Item extends { readonly participantId: string; readonly isMe: boolean }>(
  people: readonly Item[],
  chosen: string | null,
  speaker: string | null,
): SpeakerView<Item> {
  const byId = (id: string | null): Item | undefined => people.find(({ participantId }) => participantId === id);
  const spoke = byId(speaker);
  const onStage =
    byId(chosen) ?? (spoke?.isMe === false ? spoke : undefined) ?? people.find(({ isMe }) => !isMe) ?? people[0];
  return { onStage, others: people.filter((one) => one !== onStage) };
}
