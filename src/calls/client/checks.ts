import * as v from 'valibot';
import { invalidType, invalidValue } from '../../protocol/errors.ts';
import { LIMITS } from '../../protocol/limits.ts';

/** Checks of parameters (§5): each names the parameter, and throws before anything is sent. */

/** undefined, NaN and the empty string count as empty (§5); null does too. */
export const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || Number.isNaN(value);

/** @throws CallError 1800300 when empty, 1800301 when not a string. */
export function requireText(value: unknown, param: string): string {
  if (isEmpty(value)) throw invalidValue(param);
  if (typeof value !== 'string') throw invalidType(param);
  return value;
}

/**
 * Checks an id, which the exchange accepts and which is part of a path.
 *
 * @throws CallError 1800300 when empty, too long, not well-formed, or a dot or two, which a path would take for a folder;
 *   1800301 when not a string.
 */
export function requireId(value: unknown, param: string, maxChars: number = LIMITS.userIdChars): string {
  const id = requireText(value, param);
  if (id.length > maxChars || /^\.{1,2}$|\p{Cs}/u.test(id)) throw invalidValue(param);
  return id;
}

/** @throws CallError 1800301 when there and not a number. */
export function optionalNumber(value: unknown, param: string): number | undefined {
  if (isEmpty(value)) return undefined;
  if (typeof value !== 'number') throw invalidType(param);
  return value;
}

/** A number above 0. @throws CallError 1800301 when there and not a number, 1800300 when not a finite one above 0. */
export function optionalAmount(value: unknown, param: string): number | undefined {
  const amount = optionalNumber(value, param);
  if (amount !== undefined && (!Number.isFinite(amount) || amount <= 0)) throw invalidValue(param);
  return amount;
}

/** @throws CallError 1800301 when there and not a string. */
export function optionalText(value: unknown, param: string): string | undefined {
  return isEmpty(value) ? undefined : requireText(value, param);
}

/** @throws CallError 1800301 when there and not a string, 1800300 when no address of this scheme, secure or not. */
export function optionalHost(value: unknown, param: string, scheme: 'http' | 'ws'): string | undefined {
  const host = optionalText(value, param);
  if (host !== undefined && !new RegExp(`^${scheme}s?://[^/]`, 'i').test(host)) throw invalidValue(param);
  return host;
}

/** @throws CallError 1800301 when there and not a boolean. */
export function optionalFlag(value: unknown, param: string, absent: boolean): boolean {
  if (value === undefined || value === null) return absent;
  if (typeof value !== 'boolean') throw invalidType(param);
  return value;
}

/** @throws CallError 1800300 when empty, 1800301 when not a boolean. */
export function requireFlag(value: unknown, param: string): boolean {
  if (isEmpty(value)) throw invalidValue(param);
  return optionalFlag(value, param, false);
}

/** @throws CallError 1800300 when empty, 1800301 when not an object. */
export function requireObject(value: unknown, param: string): object {
  if (isEmpty(value)) throw invalidValue(param);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw invalidType(param);
  return value;
}

/**
 * Checks a parameter that travels as it is by the schema of the wire.
 *
 * @throws CallError 1800300 or 1800301 naming the part at fault, such as `webhook.headers.x-key`.
 */
export function requireShape(schema: v.GenericSchema, value: unknown, param: string): void {
  const result = v.safeParse(schema, value);
  if (result.success) return;
  const [issue] = result.issues;
  const where = [param, v.getDotPath(issue)].filter(Boolean).join('.');
  throw issue.kind === 'schema' && !isEmpty(issue.input) ? invalidType(where) : invalidValue(where);
}

/** Seconds above 0 (§5). @throws CallError 1800301 when not a number, 1800300 when not a finite one above 0. */
export function requireSeconds(value: unknown, param: string): number {
  const seconds = optionalAmount(value, param);
  if (seconds === undefined) throw invalidValue(param);
  return seconds;
}

/** A number from 0 to 1. @throws CallError 1800300 when empty or outside, 1800301 when not a number. */
export function requireFraction(value: unknown, param: string): number {
  const fraction = optionalNumber(value, param);
  if (fraction === undefined || fraction < 0 || fraction > 1) throw invalidValue(param);
  return fraction;
}
