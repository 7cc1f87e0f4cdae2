/** Custom items of a call, and what a change makes of them (§3, D24). */
import { CallError, ErrorCode } from '../../../src/protocol/errors.ts';
import { LIMITS } from '../../../src/protocol/limits.ts';

export interface CustomItems {
  readonly items: Readonly<Record<string, string>>;
  /** When they last changed, milliseconds since the epoch. It strictly grows, so that of two states the newer is known. */
  readonly affectedAt: number;
}

export interface ItemsChange {
  readonly items: CustomItems['items'];
  readonly updated: readonly string[];
  readonly deleted: readonly string[];
}

/** @throws CallError 1800300 there would be more items than a call may have. */
export function upserted(before: CustomItems['items'], given: CustomItems['items']): ItemsChange {
  const items = { ...before, ...given };
  if (Object.keys(items).length > LIMITS.customItems)
    throw new CallError(ErrorCode.INVALID_PARAMETER_VALUE, { param: 'custom_items' });
  return { items, updated: Object.keys(given), deleted: [] };
}

/** Without these keys, or without any where none are named. A key that is not there is not among those deleted. */
export function deleted(before: CustomItems['items'], keys: readonly string[] = Object.keys(before)): ItemsChange {
  const gone = new Set(keys.filter((key) => Object.hasOwn(before, key)));
  const items = Object.fromEntries(Object.entries(before).filter(([key]) => !gone.has(key)));
  return { items, updated: [], deleted: [...gone] };
}
