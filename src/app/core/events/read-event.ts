import * as v from 'valibot';
import { type ProductEvent, productEvent } from '../../../protocol/product/events.ts';

/** Reads an event by the contract; null for one that it does not know. */
export function readEvent(value: unknown): ProductEvent | null {
  const event = v.safeParse(productEvent, value);
  return event.success ? event.output : null;
}
