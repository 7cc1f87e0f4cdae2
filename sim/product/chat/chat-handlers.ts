import type { Transaction } from 'kysely';
import type * as v from 'valibot';
import type { newMessage } from '../../../src/protocol/product/chat.ts';
import type { Tables } from '../../store/tables/tables.ts';
import { SHARED_BUDGETS } from '../../budgets/product-budgets.ts';
import { limitsBy } from '../../budgets/rate-limits.ts';
import { keepBoth } from '../accounts/hold-account.ts';
import type { Asked, Handlers } from '../handlers.ts';
import type { ProductParts } from '../parts.ts';
import { refuseTooMany } from '../refuse-too-many.ts';
import { Refusal } from '../refusal.ts';
import type { Appended, Said } from './chat.ts';
import { Channels } from './channels.ts';
import { messageOf } from './message-of.ts';
import { unreadOf } from './unread-of.ts';

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

/** The messages that users write themselves. */
type Written = Extract<Said, { type: 'text' | 'photo' | 'voice' }>;

/** The handler counts messages, since a message that is sent again is not a new one. */
const MESSAGES = limitsBy('message', SHARED_BUDGETS.message, 'account');

type ChatNames =
  | 'channels'
  | 'unreadMessages'
  | 'openChannel'
  | 'channel'
  | 'changeChannel'
  | 'messages'
  | 'sendMessage'
  | 'readMessages'
  | 'typing';

export function chatHandlers(parts: Needs): Handlers<ChatNames> {
  const { database, clock, rateLimits, events, accounts, blocks, chat, charges, wallets, media } = parts;
  const { db } = database;
  const channels = new Channels(parts);

  async function tellOfChange(uId: string, channelUrl: string): Promise<void> {
    if (!events.hears(uId)) return;
    const unread = await unreadOf(db, uId, channelUrl);
    events.tell([uId], { type: 'channel_changed', channel_url: channelUrl, ...unread });
  }

  return {
    async channels({ me, query }) {
      await channels.deliver(me.uId);
      return channels.list(me.uId, query);
    },

    async unreadMessages({ me }) {
      return { count: (await unreadOf(db, me.uId, '')).unread_total };
    },

    async openChannel({ me, body: { u_id } }: Asked<'openChannel'>) {
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

    async changeChannel({ me, params: { channel_url }, body: { pinned, muted, cleared } }: Asked<'changeChannel'>) {
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
      await tellOfChange(me.uId, channel_url);
      return channels.one(me.uId, channel_url);
    },

    async messages({ me, params: { channel_url }, query: { limit, before, after } }: Asked<'messages'>) {
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

    async sendMessage({ me, params: { channel_url }, body }: Asked<'sendMessage'>) {
      const { companion } = await channels.member(me.uId, channel_url);
      const { client_id: clientId } = body;
      const known = await sentBefore(me.uId, clientId, channel_url);
      if (known) return known;
      await mayTell(me.uId, companion);
      await refuseTooMany(rateLimits, MESSAGES, me.uId);
      const said = await saidBy(me.uId, body);
      const isCharged = me.genderType === 'man' && (await accounts.find(companion))?.genderType === 'woman';
      const appended = await database.transact(async (transaction) => {
        // Either account may have been closed since the checks above.
        await keepBoth(database, transaction, { uId: me.uId, other: companion, gone: noSuchUser() });
        // Of two messages with one name, the second waits for the first.
        await database.lock(transaction, `message ${JSON.stringify([me.uId, clientId])}`);
        const meanwhile = await sentBefore(me.uId, clientId, channel_url, transaction);
        if (meanwhile) return meanwhile;
        const at = clock.wallTime();
        const written = await chat.append(transaction, { ...said, from: me.uId, to: companion, at, clientId });
        return { ...written, cost: isCharged ? await charge(transaction, said.type, written) : 0 };
      });
      if (!('message' in appended)) return appended;
      await chat.tell(appended);
      if (appended.cost > 0) await wallets.tell(me.uId, companion);
      return appended.message;
    },

    async readMessages({ me, params: { channel_url }, body: { seq } }: Asked<'readMessages'>) {
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
      events.tell([companion], { type: 'read', channel_url, u_id: me.uId, seq: upTo });
      await tellOfChange(me.uId, channel_url);
      return {};
    },

    async typing({ me, params: { channel_url }, body: { typing } }: Asked<'typing'>) {
      const { companion } = await channels.member(me.uId, channel_url);
      await mayTell(me.uId, companion);
      events.tell([companion], { type: 'typing', channel_url, u_id: me.uId, typing });
      return {};
    },
  };

  async function mayTell(uId: string, other: string): Promise<void> {
    const companion = await accounts.find(other);
    if (!companion || companion.isSuspended) throw noSuchUser();
    if (await blocks.isBlocked(uId, other)) throw new Refusal('blocked', 'One of the two users has blocked the other.');
  }

  /**
   * Charges a man's message to a woman in the transaction of the message. @returns the coins. @throws Refusal
   * `insufficient_coins`.
   */
  async function charge(
    transaction: Transaction<Tables>,
    kind: Written['type'],
    { message: { channel_url, seq, from, at }, to, sent: count }: Appended,
  ): Promise<number> {
    return charges.message(transaction, {
      man: from,
      woman: to,
      channelUrl: channel_url,
      kind,
      sent: count,
      messageId: `${channel_url}.${seq}`,
      at,
    });
  }

  async function saidBy(uId: string, body: v.InferOutput<typeof newMessage>): Promise<Written> {
    if (body.type === 'text') return { type: 'text', data: { text: body.text } };
    const [file] = await media.ofOwner(uId, [body.media_id]);
    if (file?.kind !== body.type) {
      throw new Refusal('invalid', `media_id must be a ${body.type} that this user has uploaded.`, {
        field: 'media_id',
      });
    }
    const { width, height } = file;
    const url = media.plainUrl(file.media_id);
    return body.type === 'photo'
      ? { type: 'photo', data: { url, width: width ?? 0, height: height ?? 0 } }
      : { type: 'voice', data: { url, duration_ms: body.duration_ms } };
  }

  async function sentBefore(uId: string, clientId: string, channelUrl: string, from = db) {
    const row = await from
      .selectFrom('ringback_messages')
      .where('sender', '=', uId)
      .where('client_id', '=', clientId)
      .selectAll()
      .executeTakeFirst();
    if (row && row.channel_url !== channelUrl) {
      throw new Refusal('invalid', 'This user has used the client_id in another channel.', { field: 'client_id' });
    }
    return row && messageOf(row, media);
  }
}

const noSuchUser = (): Refusal => new Refusal('not_found', 'No user with this id can be messaged.');
