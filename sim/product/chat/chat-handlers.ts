import { keepBoth } from '../accounts/hold-account.ts';
import type { HandlerRequest, Handlers } from '../handlers.ts';
import type { ProductParts } from '../parts.ts';
import { Channels } from './channels.ts';
import { MessageSender, noSuchUser } from './message-sender.ts';
import { messageOf, unreadOf } from './chat.ts';

type Needs = Pick<
  ProductParts,
  | 'database'
  | 'clock'
  | 'rateLimits'
  | 'events'
  | 'accounts'
  | 'blocks'
  | 'chat'
  | 'charges'
  | 'wallets'
  | 'media'
  | 'people'
  | 'presence'
>;

type ChannelNames = 'channels' | 'unreadMessages' | 'openChannel' | 'channel' | 'changeChannel';
type MessageNames = 'messages' | 'sendMessage' | 'readMessages' | 'typing';

export function chatHandlers(parts: Needs): Handlers<ChannelNames | MessageNames> {
  const channels = new Channels(parts);
  return { ...channelHandlers(parts, channels), ...messageHandlers(parts, channels) };
}

function channelHandlers(
  parts: Pick<Needs, 'database' | 'events' | 'accounts' | 'blocks' | 'chat'>,
  channels: Channels,
): Handlers<ChannelNames> {
  const { database, accounts, blocks, chat } = parts;
  const { db } = database;
  return {
    async channels({ me, query }) {
      await channels.deliver(me.uId);
      return channels.list(me.uId, query);
    },

    async unreadMessages({ me }) {
      return { count: (await unreadOf(db, me.uId, '')).unread_total };
    },

    async openChannel({ me, body: { u_id } }: HandlerRequest<'openChannel'>) {
      const account = u_id === me.uId ? undefined : await accounts.find(u_id);
      if (!account || account.isSuspended || (await blocks.isBlocked(me.uId, u_id))) {
        throw noSuchUser();
      }
      const channelUrl = await database.transact(async (transaction) => {
        await keepBoth(database, transaction, { uId: me.uId, other: u_id, gone: noSuchUser() });
        return chat.channelOf(transaction, me.uId, u_id);
      });
      return channels.one(me.uId, channelUrl);
    },

    channel: ({ me, params }) => channels.one(me.uId, params.channel_url),

    async changeChannel({
      me,
      params: { channel_url },
      body: { pinned, muted, cleared },
    }: HandlerRequest<'changeChannel'>) {
      const { last_seq } = await channels.member(me.uId, channel_url);
      await db
        .updateTable('ringback_members')
        .set({
          ...(pinned === undefined ? {} : { pinned: Number(pinned) }),
          ...(muted === undefined ? {} : { muted: Number(muted) }),
          ...(cleared ? { cleared_seq: last_seq, read_seq: last_seq, unread: 0 } : {}),
          // An upsert needs at least one column to set, also when nothing changes.
          channel_url,
        })
        .where('channel_url', '=', channel_url)
        .where('u_id', '=', me.uId)
        .execute();
      await emitChange(parts, me.uId, channel_url);
      return channels.one(me.uId, channel_url);
    },
  };
}

function messageHandlers(parts: Needs, channels: Channels): Handlers<MessageNames> {
  const { database, events, media } = parts;
  const { db } = database;
  const sender = new MessageSender(parts, channels);
  return {
    async messages({ me, params: { channel_url }, query: { limit, before, after } }: HandlerRequest<'messages'>) {
      const { cleared_seq } = await channels.member(me.uId, channel_url);
      let query = db
        .selectFrom('ringback_messages')
        .where('channel_url', '=', channel_url)
        .where('seq', '>', Math.max(cleared_seq, after ?? 0))
        .selectAll()
        .orderBy('seq', after === undefined ? 'desc' : 'asc')
        .limit(limit + 1);
      if (before !== undefined) query = query.where('seq', '<', before);
      const rows = await query.execute();
      const items = rows.slice(0, limit).map((row) => messageOf(row, media));
      return { items, next: rows.length > limit ? String(items.at(-1)?.seq) : null };
    },

    sendMessage: ({ me, params, body }: HandlerRequest<'sendMessage'>) => sender.send(me, params.channel_url, body),

    async readMessages({ me, params: { channel_url }, body: { seq } }: HandlerRequest<'readMessages'>) {
      const { companion, last_seq, read_seq } = await channels.member(me.uId, channel_url);
      const upTo = Math.min(seq, last_seq);
      if (upTo <= read_seq) return {};
      await db
        .updateTable('ringback_members')
        .set(({ selectFrom, fn }) => ({
          read_seq: upTo,
          delivered_seq: upTo,
          unread: selectFrom('ringback_messages')
            .where('channel_url', '=', channel_url)
            .where('seq', '>', upTo)
            .where('sender', '!=', me.uId)
            .select(fn.countAll<number>().as('left')),
        }))
        .where('channel_url', '=', channel_url)
        .where('u_id', '=', me.uId)
        .where('read_seq', '<', upTo)
        .execute();
      events.publish([companion], { type: 'read', channel_url, u_id: me.uId, seq: upTo });
      await emitChange(parts, me.uId, channel_url);
      return {};
    },

    async typing({ me, params: { channel_url }, body: { typing } }: HandlerRequest<'typing'>) {
      const { companion } = await channels.member(me.uId, channel_url);
      await sender.refuseUnreachable(me.uId, companion);
      events.publish([companion], { type: 'typing', channel_url, u_id: me.uId, typing });
      return {};
    },
  };
}

/** Emits the unread counts of a channel to the pages of a user. */
async function emitChange(
  { database, events }: Pick<Needs, 'database' | 'events'>,
  uId: string,
  channelUrl: string,
): Promise<void> {
  if (!events.isConnected(uId)) return;
  const unread = await unreadOf(database.db, uId, channelUrl);
  events.publish([uId], { type: 'channel_changed', channel_url: channelUrl, ...unread });
}
