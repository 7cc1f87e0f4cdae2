import type { Clock } from '../../../src/common/clock.ts';
import type { Transaction } from 'kysely';
import { type Message, message as messageSchema } from '../../../src/protocol/product/chat.ts';
import type { PushPayload } from '../../../src/protocol/product/push.ts';
import type { Ids } from '../../exchange/ports.ts';
import type { Database } from '../../store/database.ts';
import { statement, statementOfOne } from '../../store/statement.ts';
import type { Tables } from '../../store/tables/tables.ts';
import type { EventHub } from '../event-hub.ts';
import type { MediaLibrary } from '../media/media.ts';
import * as v from 'valibot';

/** The content of a message: a type and its data. */
export type MessageContent = {
  [Type in Message['type']]: Pick<Extract<Message, { type: Type }>, 'type' | 'data'>;
}[Message['type']];

export type NewEntry = MessageContent & {
  readonly from: string;
  readonly to: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** The name that the sender's page gave the message. */
  readonly clientId?: string;
};

/** A message that was written. Its events are sent after the commit. */
export interface Appended {
  readonly message: Message;
  readonly to: string;
  /** The messages that the sender's pages have sent in the channel, this one included. */
  readonly sent: number;
}

interface Dependencies {
  readonly database: Database;
  readonly clock: Pick<Clock, 'wallTime'>;
  readonly ids: Pick<Ids, 'uuid'>;
  readonly events: EventHub;
  readonly media: Pick<MediaLibrary, 'renewed'>;
  /** Pushes a payload to the devices of a user without an open page. Never rejects. */
  readonly notify: (uId: string, payload: PushPayload) => Promise<void>;
}

/** The channels of pairs of users, and their messages. */
export class Chat {
  readonly #database: Database;
  readonly #clock: Pick<Clock, 'wallTime'>;
  readonly #ids: Pick<Ids, 'uuid'>;
  readonly #events: EventHub;
  readonly #media: Dependencies['media'];
  readonly #notify: Dependencies['notify'];

  constructor({ database, clock, ids, events, media, notify }: Dependencies) {
    this.#media = media;
    this.#database = database;
    this.#clock = clock;
    this.#ids = ids;
    this.#events = events;
    this.#notify = notify;
  }

  /** Returns the channel of two users. Creates it if needed. */
  async channelOf(transaction: Transaction<Tables>, one: string, other: string): Promise<string> {
    const pair = pairOf(one, other);
    const now = this.#clock.wallTime();
    const made = await transaction
      .insertInto('ringback_channels')
      .values({ channel_url: this.#ids.uuid(), pair, last_seq: 0, created_at: now })
      .onConflict((conflict) => conflict.column('pair').doNothing())
      .returning('channel_url')
      .executeTakeFirst();
    if (!made) {
      const row = await transaction
        .selectFrom('ringback_channels')
        .where('pair', '=', pair)
        .select('channel_url')
        .executeTakeFirstOrThrow();
      return row.channel_url;
    }
    const { channel_url } = made;
    const nothing = { pinned: 0, muted: 0, unread: 0, sent: 0, last_seq: 0, last_at: now };
    const seen = { read_seq: 0, delivered_seq: 0, cleared_seq: 0 };
    await transaction
      .insertInto('ringback_members')
      .values([
        { channel_url, u_id: one, companion: other, ...nothing, ...seen },
        { channel_url, u_id: other, companion: one, ...nothing, ...seen },
      ])
      .execute();
    return channel_url;
  }

  /**
   * Writes a message into the channel of the two, in the transaction of the caller. The caller calls {@link publish} after
   * the commit. No event is sent before that.
   */
  async append(transaction: Transaction<Tables>, entry: NewEntry): Promise<Appended> {
    const { from, to, type, data, at, clientId = null } = entry;
    const { channel_url, seq } = await this.#nextOf(transaction, from, to);
    const kept = { channel_url, seq, client_id: clientId, type, data: JSON.stringify(data), at };
    await addMessage(transaction, { ...kept, sender: from });
    const members = await count(transaction, {
      channel_url,
      seq,
      at,
      to,
      writer: clientId === null ? NO_USER : from,
      reached: this.#events.isConnected(to) ? to : NO_USER,
    });
    const sender = members.find(({ u_id }) => u_id === from);
    if (!sender) throw new Error('The sender has no side of the channel.');
    return { message: messageOf({ ...kept, sender: from }, this.#media), to, sent: sender.sent };
  }

  /** Takes the next number in the channel of the two. Creates the channel if needed. */
  async #nextOf(transaction: Transaction<Tables>, from: string, to: string) {
    // A parallel message into the channel waits here for its number.
    const pair = pairOf(from, to);
    const known = await takeNumber(transaction, { pair });
    if (known) return known;
    await this.channelOf(transaction, from, to);
    const first = await takeNumber(transaction, { pair });
    if (!first) throw new Error('The channel was not made.');
    return first;
  }

  /** Sends the events of a committed message to both users, and a push to an absent receiver. */
  async publish({ message, to }: Appended): Promise<void> {
    const { channel_url, from, seq } = message;
    if (!this.#events.isConnected(to)) await this.#notifyDevices(message, to);
    for (const uId of [from, to]) {
      if (!this.#events.reaches(uId)) continue;
      const unread = await unreadOf(this.#database.db, uId, channel_url);
      this.#events.publish([uId], { type: 'message', message, ...unread });
    }
    if (this.#events.isConnected(to)) {
      this.#events.publish([from], { type: 'delivered', channel_url, u_id: to, seq });
    }
  }

  async #notifyDevices({ channel_url, from, type, data }: Message, to: string): Promise<void> {
    // A call has notified its callee already.
    if (type === 'call' || type === 'system') return;
    const { db } = this.#database;
    const row = await db
      .selectFrom('ringback_members as member')
      .innerJoin('ringback_profiles as profile', 'profile.u_id', 'member.companion')
      .where('member.channel_url', '=', channel_url)
      .where('member.u_id', '=', to)
      .where('member.muted', '=', 0)
      .select('profile.nickname')
      .executeTakeFirst();
    if (!row) return;
    const what =
      type === 'gift'
        ? { type: 'GIFT', gift_name: data.name, coin: String(data.coins) }
        : { type: 'CHAT', gift_name: '', coin: '' };
    await this.#notify(to, { ...what, name: row.nickname || from, icon: '' });
  }
}

const takeNumber = statementOfOne((db, { pair }: { pair: string }) =>
  db
    .updateTable('ringback_channels')
    .set(({ eb }) => ({ last_seq: eb('last_seq', '+', 1) }))
    .where('pair', '=', pair)
    .returning(['channel_url', 'last_seq as seq']),
);

const addMessage = statement(
  (db, { channel_url, seq, sender, client_id, type, data, at }: Tables['ringback_messages']) =>
    db.insertInto('ringback_messages').values({ channel_url, seq, sender, client_id, type, data, at }),
);

/** The id of no user. */
const NO_USER = '';

/** The places of a new message in the sides of its channel. */
interface Counted {
  readonly channel_url: string;
  readonly seq: number;
  readonly at: number;
  /** The user who has not read it. */
  readonly to: string;
  /** The user whose page has sent it. */
  readonly writer: string;
  /** The user who has got it. */
  readonly reached: string;
}

/** Counts a message at both sides of its channel. */
const count = statement((db, { channel_url, seq, at, to, writer, reached }: Counted) =>
  db
    .updateTable('ringback_members')
    .set(({ eb, lit, ref }) => {
      const ifBy = (uId: string) => eb.case().when('u_id', '=', uId);
      return {
        last_seq: seq,
        last_at: at,
        unread: eb('unread', '+', ifBy(to).then(lit(1)).else(lit(0)).end()),
        sent: eb('sent', '+', ifBy(writer).then(lit(1)).else(lit(0)).end()),
        delivered_seq: ifBy(reached).then(seq).else(ref('delivered_seq')).end(),
      };
    })
    .where('channel_url', '=', channel_url)
    .returning(['u_id', 'sent']),
);

/** Returns the key of the channel of two users. */
export const pairOf = (one: string, other: string): string => JSON.stringify([one, other].toSorted());

/** Reads a stored message by its schema, with the currently valid address of its file. */
export function messageOf(
  { sender, data, ...row }: Tables['ringback_messages'],
  media: Pick<MediaLibrary, 'renewed'>,
): Message {
  const kept = v.parse(messageSchema, { ...row, from: sender, data: JSON.parse(data) });
  switch (kept.type) {
    case 'photo':
      return { ...kept, data: { ...kept.data, url: media.renewed(kept.data.url) } };
    case 'voice':
      return { ...kept, data: { ...kept.data, url: media.renewed(kept.data.url) } };
    default:
      return kept;
  }
}

/** Counts the messages that a user has not read, in this channel and in all. */
export async function unreadOf(
  db: Database['db'],
  uId: string,
  channelUrl: string,
): Promise<{ readonly unread_count: number; readonly unread_total: number }> {
  const rows = await db
    .selectFrom('ringback_members')
    .where('u_id', '=', uId)
    .where('unread', '>', 0)
    .select(['channel_url', 'unread'])
    .execute();
  return {
    unread_count: rows.find(({ channel_url }) => channel_url === channelUrl)?.unread ?? 0,
    unread_total: rows.reduce((sum, { unread }) => sum + unread, 0),
  };
}
