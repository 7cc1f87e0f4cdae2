import { sql, type SqlBool } from 'kysely';
import * as v from 'valibot';
import type { Channel, Companion } from '../../../src/protocol/product/chat.ts';
import type { ReadRequest } from '../../../src/protocol/product/api.ts';
import { genderType } from '../../../src/protocol/product/values.ts';
import type { Tables } from '../../store/tables/tables.ts';
import { nameKey } from '../accounts/accounts.ts';
import type { ProductParts } from '../parts.ts';
import { Refusal } from '../refusal.ts';
import { messageOf } from './chat.ts';

type Needs = Pick<ProductParts, 'database' | 'events' | 'media' | 'people' | 'presence' | 'blocks'>;

type Member = Tables['ringback_members'];

/** The cursor of a list: the next page begins after this channel. */
const cursorText = v.pipe(
  v.string(),
  v.regex(/^[01]\.\d{1,15}\.[\w-]+$/),
  v.transform((text) => {
    const [pinned = '', lastAt = '', channelUrl = ''] = text.split('.');
    return { pinned: Number(pinned), lastAt: Number(lastAt), channelUrl };
  }),
);

/** Channels as one of their two users sees them. */
export class Channels {
  readonly #parts: Needs;

  constructor(parts: Needs) {
    this.#parts = parts;
  }

  /**
   * Finds a user's side of a channel. @throws Refusal `not_found`, also for a channel of others, which stays secret.
   */
  async member(uId: string, channelUrl: string): Promise<Member> {
    const member = await this.#parts.database.db
      .selectFrom('ringback_members')
      .where('channel_url', '=', channelUrl)
      .where('u_id', '=', uId)
      .selectAll()
      .executeTakeFirst();
    if (!member) throw new Refusal('not_found', 'No chat of this user has this channel_url.');
    return member;
  }

  async one(uId: string, channelUrl: string): Promise<Channel> {
    const [channel] = await this.#channelsOf(uId, [await this.member(uId, channelUrl)]);
    if (!channel) throw new Refusal('not_found', 'No chat of this user has this channel_url.');
    return channel;
  }

  async list(uId: string, { cursor, limit, filter, search }: ReadRequest<'channels'>['query']) {
    const { db } = this.#parts.database;
    let query = db
      .selectFrom('ringback_members as member')
      .where('member.u_id', '=', uId)
      .whereRef('member.last_seq', '>', 'member.cleared_seq')
      .selectAll('member')
      .orderBy('member.pinned', 'desc')
      .orderBy('member.last_at', 'desc')
      .orderBy('member.channel_url', 'desc')
      .limit(limit + 1);
    if (filter === 'unread') query = query.where('member.unread', '>', 0);
    if (filter === 'favourite') {
      query = query.where(({ exists, selectFrom }) =>
        exists(
          selectFrom('ringback_favorites as favorite')
            .where('favorite.u_id', '=', uId)
            .whereRef('favorite.other', '=', 'member.companion')
            .select('favorite.other'),
        ),
      );
    }
    if (search !== '') {
      const pattern = `%${nameKey(search).replaceAll(/[\\%_]/g, '\\$&')}%`;
      query = query
        .innerJoin('ringback_profiles as profile', 'profile.u_id', 'member.companion')
        .where(sql<SqlBool>`profile.name_key like ${pattern} escape '\\'`);
    }
    if (cursor !== undefined) {
      const place = v.safeParse(cursorText, cursor);
      if (!place.success) throw new Refusal('invalid', 'The cursor does not belong to this list.', { field: 'cursor' });
      const { pinned, lastAt, channelUrl } = place.output;
      query = query.where(
        sql<SqlBool>`(member.pinned, member.last_at, member.channel_url) < (${pinned}, ${lastAt}, ${channelUrl})`,
      );
    }
    const rows = await query.execute();
    const shown = rows.slice(0, limit);
    const last = shown.at(-1);
    const next = rows.length > limit && last ? `${last.pinned}.${last.last_at}.${last.channel_url}` : null;
    return { items: await this.#channelsOf(uId, shown), next };
  }

  /** Marks all messages to a user as delivered, and notifies their senders. */
  async deliver(uId: string): Promise<void> {
    const { database, events } = this.#parts;
    const rows = await database.db
      .updateTable('ringback_members')
      .set(({ ref }) => ({ delivered_seq: ref('last_seq') }))
      .where('u_id', '=', uId)
      .where('unread', '>', 0)
      .whereRef('delivered_seq', '<', 'last_seq')
      .returning(['channel_url', 'companion', 'last_seq'])
      .execute();
    for (const { channel_url, companion, last_seq } of rows) {
      events.publish([companion], { type: 'delivered', channel_url, u_id: uId, seq: last_seq });
    }
  }

  async #channelsOf(uId: string, members: readonly Member[]): Promise<Channel[]> {
    if (members.length === 0) return [];
    const { db } = this.#parts.database;
    const urls = members.map(({ channel_url }) => channel_url);
    const others = await db
      .selectFrom('ringback_members')
      .where('channel_url', 'in', urls)
      .select(['channel_url', 'u_id', 'read_seq', 'delivered_seq'])
      .execute();
    const lasts = await db
      .selectFrom('ringback_messages as message')
      .innerJoin('ringback_channels as channel', (join) =>
        join.onRef('channel.channel_url', '=', 'message.channel_url').onRef('channel.last_seq', '=', 'message.seq'),
      )
      .where('channel.channel_url', 'in', urls)
      .selectAll('message')
      .execute();
    const uIds = members.map(({ companion }) => companion);
    const companions = await this.#companions(uId, uIds);
    this.#parts.events.follow(uId, uIds);
    return members.flatMap((member): Channel[] => {
      const { channel_url } = member;
      const companion = companions.get(member.companion);
      const theirs = others.find((other) => other.channel_url === channel_url && other.u_id === member.companion);
      const last = lasts.find((message) => message.channel_url === channel_url);
      if (!companion) return [];
      return [
        {
          channel_url,
          companion,
          last_message: last && last.seq > member.cleared_seq ? messageOf(last, this.#parts.media) : null,
          unread_count: member.unread,
          read_seq: member.read_seq,
          companion_read_seq: theirs?.read_seq ?? 0,
          companion_delivered_seq: theirs?.delivered_seq ?? 0,
          pinned: member.pinned !== 0,
          muted: member.muted !== 0,
        },
      ];
    });
  }

  async #companions(uId: string, uIds: readonly string[]): Promise<ReadonlyMap<string, Companion>> {
    const { database, people, presence, blocks } = this.#parts;
    const rows = await database.db
      .selectFrom('ringback_accounts as account')
      .innerJoin('ringback_profiles as profile', 'profile.u_id', 'account.u_id')
      .where('account.u_id', 'in', uIds)
      .select([
        'account.u_id',
        'account.gender_type',
        'profile.nickname',
        'profile.city',
        'profile.verified',
        'profile.accepts_video',
      ])
      .execute();
    const cards = await people.cards(uIds);
    const apart = await blocks.apartFrom(uId);
    return new Map(
      rows.map(({ u_id, nickname, city, ...row }) => [
        u_id,
        {
          u_id,
          nickname,
          city,
          profile_url: cards.get(u_id)?.profile_url ?? '',
          gender_type: v.parse(genderType, row.gender_type),
          verified: row.verified !== 0,
          accepts_video: row.accepts_video !== 0,
          // Old messages stay visible across a block, but presence does not.
          presence: apart.has(u_id) ? 'offline' : presence.of(u_id),
          last_seen_at: apart.has(u_id) ? null : presence.lastSeenAt(u_id),
        },
      ]),
    );
  }
}
