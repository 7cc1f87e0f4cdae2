import type { Channel } from '../../../../protocol/product/chat.ts';
import type { EventOf } from '../../../../protocol/product/events.ts';

/** Pages of channels, in the form of the query cache. */
export interface ChannelPages {
  readonly pages: readonly { readonly items: Channel[]; readonly next: string | null }[];
  readonly pageParams: readonly unknown[];
}

type Told = EventOf<'message'> | EventOf<'delivered'> | EventOf<'read'> | EventOf<'presence_changed'>;

/**
 * Returns the list after an event. Returns null when the channel is not in the list, and the list must be requested.
 */
export function channelsAfter<Pages extends ChannelPages>(kept: Pages, event: Told): Pages | null {
  switch (event.type) {
    case 'message':
      return afterMessage(kept, event);
    case 'delivered':
      return eachChannel(kept, (channel) =>
        channel.channel_url === event.channel_url ? { ...channel, companion_delivered_seq: event.seq } : channel,
      );
    case 'read':
      return eachChannel(kept, (channel) =>
        channel.channel_url === event.channel_url
          ? { ...channel, companion_read_seq: event.seq, companion_delivered_seq: event.seq }
          : channel,
      );
    case 'presence_changed': {
      const { u_id, presence, last_seen_at } = event;
      return eachChannel(kept, (channel) =>
        channel.companion.u_id === u_id
          ? { ...channel, companion: { ...channel.companion, presence, last_seen_at } }
          : channel,
      );
    }
    default:
      return event satisfies never;
  }
}

function afterMessage<Pages extends ChannelPages>(
  kept: Pages,
  { message, unread_count }: EventOf<'message'>,
): Pages | null {
  const channel = kept.pages
    .flatMap(({ items }) => items)
    .find(({ channel_url }) => channel_url === message.channel_url);
  if (!channel) return null;
  if ((channel.last_message?.seq ?? 0) >= message.seq) return kept;
  const moved = { ...channel, last_message: message, unread_count };
  const pages = kept.pages.map((page) => ({ ...page, items: page.items.filter((one) => one !== channel) }));
  const [first] = pages;
  if (!first) return null;
  const place = moved.pinned ? 0 : first.items.filter(({ pinned }) => pinned).length;
  return { ...kept, pages: [{ ...first, items: first.items.toSpliced(place, 0, moved) }, ...pages.slice(1)] };
}

function eachChannel<Pages extends ChannelPages>(kept: Pages, change: (channel: Channel) => Channel): Pages {
  return { ...kept, pages: kept.pages.map((page) => ({ ...page, items: page.items.map(change) })) };
}
