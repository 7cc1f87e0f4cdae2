import { type Selectable, sql } from 'kysely';
import * as v from 'valibot';
import type { Person, PersonDetail, discoverQuery } from '../../../src/protocol/product/people.ts';
import { genderType, type GenderType } from '../../../src/protocol/product/values.ts';
import type { Clock } from '../../../src/common/clock.ts';
import type { Database } from '../../store/database.ts';
import type { Tables } from '../../store/tables/tables.ts';
import { giftWall } from '../gifts/gift-wall.ts';
import { faceOf, type MediaLibrary } from '../media/media.ts';
import type { PresenceBoard } from '../presence.ts';
import { Refusal } from '../refusal.ts';
import { ageAt } from '../calendar.ts';
import { notHiddenFrom } from './blocks.ts';
import { responseRate } from './response-rate.ts';
import { takesCalls } from './call-offers.ts';

const NEW_MS = 7 * 24 * 3_600_000;

export interface Viewer {
  readonly uId: string;
  readonly genderType: GenderType;
}

type Filter = Omit<v.InferOutput<typeof discoverQuery>, 'cursor' | 'limit'>;
type Row = Selectable<Tables['ringback_profiles']> & { gender_type: string; joined_at: number; cover: string | null };

interface Dependencies {
  readonly database: Database;
  readonly clock: Pick<Clock, 'wallTime'>;
  readonly presence: PresenceBoard;
  readonly media: MediaLibrary;
  readonly portraitUrl: (uId: string) => string;
}

const texts = v.pipe(v.string(), v.parseJson(), v.array(v.string()));

/** People as other users see them. */
export class People {
  readonly #dependencies: Dependencies;

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Lists a page of the people that a user may meet: online users first, then the newest. Each part is read by a key
   * that does not change, so users who arrive or leave meanwhile do not move the others.
   *
   * @param cursor - from the page before. An unknown cursor begins at the start.
   */
  async discover(
    me: Viewer,
    filter: Filter,
    limit: number,
    cursor = '',
  ): Promise<{ items: Person[]; next: string | null }> {
    const present = this.#dependencies.presence.presentUsers().toSorted();
    const [, part = 'here', key = ''] = /^(here|rest):(.*)$/s.exec(cursor) ?? [];
    const items: Row[] = [];
    if (part === 'here') {
      items.push(...(await this.#present(me, filter, present, key, limit + 1)));
      if (items.length > limit || filter.online) return this.#page(items, limit, (row) => `here:${row.u_id}`);
    }
    if (items.length === limit) return { items: items.map((row) => this.shown(row)), next: 'rest:' };
    const rest = await this.#rest(me, filter, new Set(present), part === 'rest' ? key : '', limit + 1 - items.length);
    return this.#page([...items, ...rest], limit, (row) => `rest:${row.joined_at}:${row.u_id}`);
  }

  #page(rows: readonly Row[], limit: number, cursorOf: (row: Row) => string): { items: Person[]; next: string | null } {
    const shown = rows.slice(0, limit);
    const last = shown.at(-1);
    return {
      items: shown.map((row) => this.shown(row)),
      next: rows.length > limit && last !== undefined ? cursorOf(last) : null,
    };
  }

  async #present(me: Viewer, filter: Filter, present: readonly string[], after: string, most: number): Promise<Row[]> {
    const { presence } = this.#dependencies;
    const ids = present.filter((uId) => uId > after && (!filter.online || presence.of(uId) === 'online'));
    const found: Row[] = [];
    // A statement can have a limited number of values.
    for (let at = 0; at < ids.length && found.length < most; at += CHUNK) {
      const chunk = ids.slice(at, at + CHUNK);
      const rows = await this.#met(me, filter).where('account.u_id', 'in', chunk).execute();
      found.push(...rows.toSorted((a, b) => (a.u_id < b.u_id ? -1 : 1)));
    }
    return found.slice(0, most);
  }

  async #rest(me: Viewer, filter: Filter, present: ReadonlySet<string>, after: string, most: number): Promise<Row[]> {
    const found: Row[] = [];
    let [, joinedAt = '', uId = ''] = /^(\d{1,16}):(.*)$/s.exec(after) ?? [];
    for (;;) {
      let query = this.#met(me, filter);
      if (joinedAt !== '') {
        const [time, id] = [Number(joinedAt), uId];
        query = query.where((eb) =>
          eb.or([
            eb('account.joined_at', '<', time),
            eb.and([eb('account.joined_at', '=', time), eb('account.u_id', '>', id)]),
          ]),
        );
      }
      const rows = await query
        .orderBy('account.joined_at', 'desc')
        .orderBy('account.u_id')
        .limit(most + CHUNK)
        .execute();
      found.push(...rows.filter((row) => !present.has(row.u_id)));
      const last = rows.at(-1);
      if (found.length >= most || rows.length < most + CHUNK || !last) return found.slice(0, most);
      [joinedAt, uId] = [String(last.joined_at), last.u_id];
    }
  }

  /** Selects the people that a user may meet: of the other gender type, not suspended, not hidden by a block. */
  #met(me: Viewer, filter: Filter) {
    const now = this.#dependencies.clock.wallTime();
    let query = this.#all()
      .where('account.gender_type', '=', me.genderType === 'man' ? 'woman' : 'man')
      .where('account.suspended_at', 'is', null)
      .where(notHiddenFrom(me.uId));
    if (filter.new) query = query.where('account.joined_at', '>=', now - NEW_MS);
    if (filter.verified) query = query.where('profile.verified', '=', 1);
    if (filter.video) query = query.where('profile.accepts_video', '=', 1).where('profile.resting', '=', 0);
    if (filter.city !== undefined) query = query.where('profile.city', '=', filter.city);
    if (filter.near) {
      query = query.where(sql<boolean>`profile.city = (select city from ringback_profiles where u_id = ${me.uId})`);
    }
    if (filter.favorite) {
      query = query.where(sql<boolean>`account.u_id in (select other from ringback_favorites where u_id = ${me.uId})`);
    }
    if (filter.age_from !== undefined) query = query.where('profile.birthday', '<=', birthdayOf(filter.age_from, now));
    if (filter.age_to !== undefined) query = query.where('profile.birthday', '>', birthdayOf(filter.age_to + 1, now));
    if (filter.price_to !== undefined) query = query.where('profile.price', '<=', filter.price_to);
    if (filter.language !== undefined) query = query.where('profile.languages', 'like', `%"${filter.language}"%`);
    return query;
  }

  #all() {
    const { database, clock } = this.#dependencies;
    return database.db
      .selectFrom('ringback_accounts as account')
      .innerJoin('ringback_profiles as profile', 'profile.u_id', 'account.u_id')
      .selectAll('profile')
      .select(['account.gender_type', 'account.joined_at'])
      .select(faceOf(sql.ref('account.u_id'), clock.wallTime()).as('cover'));
  }

  /** Returns those of these people that the user may meet, in this order. */
  async of(me: Viewer, uIds: readonly string[]): Promise<Person[]> {
    if (uIds.length === 0) return [];
    const rows = await this.#met(me, {}).where('account.u_id', 'in', uIds).execute();
    const byId = new Map(rows.map((row) => [row.u_id, row]));
    return uIds.flatMap((uId) => {
      const row = byId.get(uId);
      return row ? [this.shown(row)] : [];
    });
  }

  /** Returns whether the user may meet this person. */
  async mayMeet(me: Viewer, uId: string): Promise<boolean> {
    return (await this.of(me, [uId])).length > 0;
  }

  /** @throws Refusal `not_found` when the user may not meet this person. The refusal does not say why. */
  async mustMeet(me: Viewer, uId: string): Promise<void> {
    if (!(await this.mayMeet(me, uId))) throw new Refusal('not_found', 'No user has this id.');
  }

  /** Returns names and pictures of these users, for past events with users who have left or were blocked since. */
  async cards(
    uIds: readonly string[],
  ): Promise<ReadonlyMap<string, Pick<Person, 'u_id' | 'nickname' | 'profile_url'>>> {
    if (uIds.length === 0) return new Map();
    const rows = await this.#all().where('account.u_id', 'in', uIds).execute();
    return new Map(
      rows.map((row) => [row.u_id, { u_id: row.u_id, nickname: row.nickname, profile_url: this.pictureUrl(row) }]),
    );
  }

  /**
   * Returns the full profile of a person. @throws Refusal `not_found` as `mustMeet` does, but users find themselves.
   */
  async detail(me: Viewer, uId: string): Promise<PersonDetail> {
    const { database, clock, media } = this.#dependencies;
    const isMe = uId === me.uId;
    const row = await (isMe ? this.#all() : this.#met(me, {})).where('account.u_id', '=', uId).executeTakeFirst();
    if (!row) throw new Refusal('not_found', 'No user has this id.');
    const photos = await database.db
      .selectFrom('ringback_profile_photos as photo')
      .innerJoin('ringback_media as media', 'media.media_id', 'photo.media_id')
      .where('photo.u_id', '=', uId)
      .where('media.verdict', '=', 'approved')
      .where('media.reviewed_at', '<=', clock.wallTime())
      .orderBy('photo.place')
      .select('media.media_id')
      .execute();
    const pair = { u_id: me.uId, other: uId };
    const isWoman = row.gender_type === 'woman';
    const [favorite, watched, voice, gifts, rate] = await Promise.all([
      database.db
        .selectFrom('ringback_favorites')
        .where((eb) => eb.and(pair))
        .select('at')
        .executeTakeFirst(),
      database.db
        .selectFrom('ringback_watches')
        .where((eb) => eb.and(pair))
        .select('at')
        .executeTakeFirst(),
      row.voice_intro === null ? [] : media.ofOwner(uId, [row.voice_intro]),
      isWoman ? giftWall(database, uId) : [],
      isWoman ? responseRate(database, uId, clock.wallTime()) : null,
    ]);
    return {
      ...this.shown(row),
      intro: row.intro,
      height: row.height,
      job: row.job,
      languages: v.parse(texts, row.languages),
      tags: v.parse(texts, row.tags),
      photos: photos.map(({ media_id }) => ({
        media_id,
        url: media.url(media_id),
        small: media.url(media_id, 'small'),
      })),
      voice_intro: voice[0]?.status === 'approved' ? voice[0].url : null,
      prices: { voice: row.voice_price, video: row.price },
      accepts_voice: row.accepts_voice !== 0 && takesCalls(row, clock.wallTime()),
      gifts,
      response_rate: rate,
      favorite: favorite !== undefined,
      watched: watched !== undefined,
    };
  }

  shown(row: Row): Person {
    const { clock, presence } = this.#dependencies;
    return {
      u_id: row.u_id,
      nickname: row.nickname,
      profile_url: this.pictureUrl(row),
      gender_type: v.parse(genderType, row.gender_type),
      age: ageAt(row.birthday, clock.wallTime()),
      city: row.city,
      price: row.gender_type === 'woman' ? row.price : 0,
      verified: row.verified !== 0,
      accepts_video: row.accepts_video !== 0 && takesCalls(row, clock.wallTime()),
      joined_at: row.joined_at,
      presence: presence.of(row.u_id),
      last_seen_at: presence.lastSeenAt(row.u_id),
    };
  }

  /** Returns the picture of a user: the first approved one, else the drawn portrait. */
  pictureUrl({ u_id, cover }: Pick<Row, 'u_id' | 'cover'>): string {
    return cover === null ? this.#dependencies.portraitUrl(u_id) : this.#dependencies.media.plainUrl(cover);
  }
}

const CHUNK = 200;

/**
 * Returns the last birthday, YYYY-MM-DD, of a user who is this many years old at this moment. It is compared as text.
 * On 29 February it may name a day that did not exist in its year.
 */
function birthdayOf(age: number, now: number): string {
  const today = new Date(now).toISOString();
  return `${Number(today.slice(0, 4)) - age}${today.slice(4, 10)}`;
}
