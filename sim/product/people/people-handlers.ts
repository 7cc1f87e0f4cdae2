import * as v from 'valibot';
import type { Person } from '../../../src/protocol/product/people.ts';
import { genderType } from '../../../src/protocol/product/values.ts';
import { Allowances } from '../../exchange/budget.ts';
import type { Handlers } from '../handlers.ts';
import type { ProductParts } from '../parts.ts';
import { Refusal } from '../refusal.ts';
import { ageAt } from './age.ts';
import { notHiddenFrom } from './blocks.ts';
import { addPair, pairsOf } from './pairs.ts';
import type { Watches } from './watches.ts';

/** Pages of people: enough for whoever scrolls, too few to copy everybody (C.5). */
const PAGES = { burst: 60, perSecond: 1 };

type Names = 'people' | 'discover' | 'person' | 'favorites' | 'addFavorite' | 'removeFavorite' | 'notifyWhenOnline';

export function peopleHandlers(parts: ProductParts, watches: Watches): Handlers<Names> {
  const { database, clock, presence, portraitUrl, people } = parts;
  const pages = new Allowances(PAGES, () => clock.now());

  return {
    async people({ me }) {
      const rows = await database.db
        .selectFrom('ringback_accounts as account')
        .innerJoin('ringback_profiles as profile', 'profile.u_id', 'account.u_id')
        .where('account.u_id', '!=', me.uId)
        .where('account.suspended_at', 'is', null)
        .where(notHiddenFrom(me.uId))
        .orderBy('account.joined_at')
        .selectAll('profile')
        .select(['account.gender_type', 'account.joined_at'])
        .execute();
      const users = rows.map(({ u_id, nickname, city, price, ...row }): Person => ({
        u_id,
        nickname,
        city,
        price,
        profile_url: portraitUrl(u_id),
        gender_type: v.parse(genderType, row.gender_type),
        age: ageAt(row.birthday, clock.now()),
        verified: row.verified !== 0,
        accepts_video: row.accepts_video !== 0,
        joined_at: row.joined_at,
        presence: presence.of(u_id),
        last_seen_at: presence.lastSeenAt(u_id),
      }));
      return { users };
    },

    async discover({ me, query: { cursor, limit, ...filter } }) {
      if (!pages.take(me.uId)) throw new Refusal('too_many', 'Too many pages of people.', { retry_after: 1 });
      return people.discover(me, filter, limit, cursor);
    },

    person: ({ me, params }) => people.detail(me, params.u_id),

    async favorites({ me, query }) {
      const { items, next } = await pairsOf(database, 'ringback_favorites', me.uId, query);
      const shown = await people.of(
        me,
        items.map(({ other }) => other),
      );
      return { items: shown, next };
    },

    async addFavorite({ me, body: { u_id } }) {
      await people.mustMeet(me, u_id);
      await addPair(database, clock, 'ringback_favorites', me.uId, u_id);
      return {};
    },

    async removeFavorite({ me, params }) {
      await database.db
        .deleteFrom('ringback_favorites')
        .where('u_id', '=', me.uId)
        .where('other', '=', params.u_id)
        .execute();
      return {};
    },

    async notifyWhenOnline({ me, params }) {
      await watches.add(me, params.u_id);
      return {};
    },
  };
}
