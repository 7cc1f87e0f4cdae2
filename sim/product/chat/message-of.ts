import * as v from 'valibot';
import { message, type Message } from '../../../src/protocol/product/chat.ts';
import type { Tables } from '../../store/tables/tables.ts';

/** A message as it is kept, read by its schema. */
export function messageOf({ sender, data, ...row }: Tables['ringback_messages']): Message {
  return v.parse(message, { ...row, from: sender, data: JSON.parse(data) });
}
