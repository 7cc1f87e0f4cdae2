/** Custom items of a call, and the changes of them (§3, D24). */
import { CallError, ErrorCode } from '../../../src/protocol/errors.ts';
import { LIMITS } from '../../../src/protocol/limits.ts';

export interface CustomItems {
  readonly items: Readonly<Record<string, string>>;
  /** When they last changed, milliseconds since the epoch. It strictly grows, so the newer of two states is known. */
  readonly affectedAt: number;
}

export interface ItemsChange {
  readonly items: CustomItems['items'];
  readonly updated: readonly string[];
  readonly deleted: readonly string[];
}

/**
 * Adds items, or replaces those with the same keys.
 * @throws CallError `INVALID_PARAMETER_VALUE` when the call would have too many items.
 */
export function upserted(before: CustomItems['items'], given: CustomItems['items']): ItemsChange {
  const items = { ...before, ...given };
  if (Object.keys(items).length > LIMITS.customItems)
    throw new CallError(ErrorCode.INVALID_PARAMETER_VALUE, { param: 'custom_items' });
  return { items, updated: Object.keys(given), deleted: [] };
}

/** Deletes items by key, or all without keys. The result names only keys that were there. */
export function deleted(before: CustomItems['items'], keys: readonly string[] = Object.keys(before)): ItemsChange {
  const gone = new Set(keys.filter((key) => Object.hasOwn(before, key)));
  const items = Object.fromEntries(Object.entries(before).filter(([key]) => !gone.has(key)));
  return { items, updated: [], deleted: [...gone] };
}
