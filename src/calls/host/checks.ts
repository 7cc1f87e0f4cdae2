import * as v from 'valibot';
import { invalidType, invalidValue } from '../../protocol/errors.ts';
import { LIMITS } from '../../protocol/limits.ts';

/** Checks of parameters (§5). Each names the parameter, and throws before the client sends anything. */

/** Returns whether a value is empty (§5): undefined, null, NaN or an empty string. */
export const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || Number.isNaN(value);

/**
 * Returns a text that is not empty.
 * @throws CallError `INVALID_PARAMETER_VALUE` when empty, `INVALID_PARAMETER_TYPE` when not a string.
 */
export function requireText(value: unknown, param: string): string {
  if (isEmpty(value)) throw invalidValue(param);
  if (typeof value !== 'string') throw invalidType(param);
  return value;
}

/**
 * Checks an id, which the exchange accepts and which is part of a path.
 *
 * @throws CallError `INVALID_PARAMETER_VALUE` when empty, too long, not well-formed, or one or two dots, which name a
 *   folder in a path. `INVALID_PARAMETER_TYPE` when not a string.
 */
export function requireId(value: unknown, param: string, maxChars: number = LIMITS.userIdChars): string {
  const id = requireText(value, param);
  if (id.length > maxChars || /^\.{1,2}$|\p{Cs}/u.test(id)) throw invalidValue(param);
  return id;
}

/**
 * Returns an optional number.
 * @throws CallError `INVALID_PARAMETER_TYPE` when present and not a number.
 */
export function optionalNumber(value: unknown, param: string): number | undefined {
  if (isEmpty(value)) return undefined;
  if (typeof value !== 'number') throw invalidType(param);
  return value;
}

/**
 * Returns an optional number above 0.
 * @throws CallError `INVALID_PARAMETER_TYPE` when present and not a number, `INVALID_PARAMETER_VALUE` when not finite
 *   and above 0.
 */
export function optionalAmount(value: unknown, param: string): number | undefined {
  const amount = optionalNumber(value, param);
  if (amount !== undefined && (!Number.isFinite(amount) || amount <= 0)) throw invalidValue(param);
  return amount;
}

/**
 * Returns an optional text.
 * @throws CallError `INVALID_PARAMETER_TYPE` when present and not a string.
 */
export function optionalText(value: unknown, param: string): string | undefined {
  return isEmpty(value) ? undefined : requireText(value, param);
}

/**
 * Returns an optional address of a host.
 * @throws CallError `INVALID_PARAMETER_TYPE` when present and not a string, `INVALID_PARAMETER_VALUE` when it is not an
 *   address of this scheme, secure or not.
 */
export function optionalHost(value: unknown, param: string, scheme: 'http' | 'ws'): string | undefined {
  const host = optionalText(value, param);
  if (host !== undefined && !new RegExp(`^${scheme}s?://[^/]`, 'i').test(host)) throw invalidValue(param);
  return host;
}

/**
 * Returns an optional flag.
 * @throws CallError `INVALID_PARAMETER_TYPE` when present and not a boolean.
 */
export function optionalFlag(value: unknown, param: string, absent: boolean): boolean {
  if (value === undefined || value === null) return absent;
  if (typeof value !== 'boolean') throw invalidType(param);
  return value;
}

/**
 * Returns a flag.
 * @throws CallError `INVALID_PARAMETER_VALUE` when empty, `INVALID_PARAMETER_TYPE` when not a boolean.
 */
export function requireFlag(value: unknown, param: string): boolean {
  if (isEmpty(value)) throw invalidValue(param);
  return optionalFlag(value, param, false);
}

/**
 * Returns an object.
 * @throws CallError `INVALID_PARAMETER_VALUE` when empty, `INVALID_PARAMETER_TYPE` when not an object.
 */
export function requireObject(value: unknown, param: string): object {
  if (isEmpty(value)) throw invalidValue(param);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw invalidType(param);
  return value;
}

/**
 * Checks a parameter by the schema of the wire, on which it is sent unchanged.
 *
 * @throws CallError `INVALID_PARAMETER_VALUE` or `INVALID_PARAMETER_TYPE` with the wrong part, such as
 *   `webhook.headers.x-key`.
 */
export function requireShape(schema: v.GenericSchema, value: unknown, param: string): void {
  const result = v.safeParse(schema, value);
  if (result.success) return;
  const [issue] = result.issues;
  const where = [param, v.getDotPath(issue)].filter(Boolean).join('.');
  throw issue.kind === 'schema' && !isEmpty(issue.input) ? invalidType(where) : invalidValue(where);
}

/**
 * Returns seconds above 0 (§5).
 * @throws CallError `INVALID_PARAMETER_TYPE` when not a number, `INVALID_PARAMETER_VALUE` when not finite and above 0.
 */
export function requireSeconds(value: unknown, param: string): number {
  const seconds = optionalAmount(value, param);
  if (seconds === undefined) throw invalidValue(param);
  return seconds;
}

/**
 * Returns a number from 0 to 1.
 * @throws CallError `INVALID_PARAMETER_VALUE` when empty or outside, `INVALID_PARAMETER_TYPE` when not a number.
 */
export function requireFraction(value: unknown, param: string): number {
  const fraction = optionalNumber(value, param);
  if (fraction === undefined || fraction < 0 || fraction > 1) throw invalidValue(param);
  return fraction;
}
