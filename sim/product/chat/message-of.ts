import * as v from 'valibot';
import { message, type Message } from '../../../src/protocol/product/chat.ts';
import type { MediaLibrary } from '../media/media.ts';
import type { Tables } from '../../store/tables/tables.ts';

/** Reads a stored message by its schema, with the currently valid address of its file. */
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
