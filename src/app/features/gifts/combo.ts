/** Gifts of one kind that follow each other this closely are one combo. Milliseconds. */
export const COMBO_MS = 5_000;

/** How often a gift was given in a row, and when last. */
export interface Combo {
  readonly giftId: string;
  readonly times: number;
  readonly at: number;
}

/** The combo after one more gift. */
export function comboAfter(combo: Combo | null, giftId: string, now: number): Combo {
  const goesOn = combo !== null && combo.giftId === giftId && now - combo.at <= COMBO_MS;
  return { giftId, times: goesOn ? combo.times + 1 : 1, at: now };
}
