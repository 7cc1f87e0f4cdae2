import * as v from 'valibot';
import { type ProductEvent, productEvent } from '../../../protocol/product/events.ts';

/** Parses an event by the contract. Returns null for an event that the contract does not define. */
export function readEvent(value: unknown): ProductEvent | null {
  const event = v.safeParse(productEvent, value);
  return event.success ? event.output : null;
}
