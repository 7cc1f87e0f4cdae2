import * as v from 'valibot';
import { message, type Message } from '../../../src/protocol/product/chat.ts';
import type { MediaLibrary } from '../media/media.ts';
import type { Tables } from '../../store/tables/tables.ts';

/** A message as it is kept, read by its schema, its file at the address that is good now. */
export function messageOf(
  { sender, data, ...row }: Tables['ringback_messages'],
  media: Pick<MediaLibrary, 'renewed'>,
): Message {
  const kept = v.parse(message, { ...row, from: sender, data: JSON.parse(data) });
  switch (kept.type) {
    case 'photo':
      return { ...kept, data: { ...kept.data, url: media.renewed(kept.data.url) } };
    case 'voice':
      return { ...kept, data: { ...kept.data, url: media.renewed(kept.data.url) } };
    default:
      return kept;
  }
}
