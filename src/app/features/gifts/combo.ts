/** Gifts of one kind within this time form a combo. Milliseconds. */
export const COMBO_MS = 5_000;

/** The number of successive gifts of one kind, and the time of the last one. */
export interface Combo {
  readonly giftId: string;
  readonly times: number;
  readonly at: number;
}

/** Returns the combo after one more gift. */
export function comboAfter(combo: Combo | null, giftId: string, now: number): Combo {
  const goesOn = combo !== null && combo.giftId === giftId && now - combo.at <= COMBO_MS;
  return { giftId, times: goesOn ? combo.times + 1 : 1, at: now };
}
