import * as v from 'valibot';
import { customItemKey, customItems } from '../../protocol/entities.ts';
import { invalidType, invalidValue } from '../../protocol/errors.ts';
import { LIMITS } from '../../protocol/limits.ts';

/**
 * The texts that apps store with a call (D24). A call has at most 10. A key and a value have 1 to 128 characters, and a
 * key has no comma.
 */
export type CustomItems = Record<string, string>;

/** The result of a change of custom items. */
export interface CustomItemsResult {
  /** All custom items of the call after the change. */
  readonly customItems: CustomItems;
  /** The keys of the items that were changed or deleted. */
  readonly affectedKeys: string[];
}

/**
 * Checks custom items before they are sent (D24).
 * @throws CallError `INVALID_PARAMETER_TYPE` or `INVALID_PARAMETER_VALUE` for `customItems`.
 */
export function checkCustomItems(value: unknown): CustomItems {
  // A Map, a Date or a list has no items to send.
  if (Object.prototype.toString.call(value) !== '[object Object]') throw invalidType('customItems');
  const given = Object.entries(value as object);
  if (given.some(([, item]) => typeof item !== 'string')) throw invalidType('customItems');
  const result = v.safeParse(customItems, value);
  if (!result.success || Object.keys(result.output).length !== given.length) throw invalidValue('customItems');
  return result.output;
}

/**
 * Checks the keys of items to delete: at least one.
 * @throws CallError `INVALID_PARAMETER_TYPE` or `INVALID_PARAMETER_VALUE` for `keys`.
 */
export function checkItemKeys(value: unknown): string[] {
  if (!Array.isArray(value) || value.some((key) => typeof key !== 'string')) throw invalidType('keys');
  const isValid =
    value.length > 0 && value.length <= LIMITS.customItems && value.every((key) => v.is(customItemKey, key));
  if (!isValid) throw invalidValue('keys');
  return [...value];
}
