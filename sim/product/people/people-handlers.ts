import type { Person } from '../../../src/protocol/product/people.ts';
import type { Handlers } from '../handlers.ts';
import type { ProductParts } from '../parts.ts';
import { addPair, pairsOf } from './pairs.ts';
import type { Watches } from './watches.ts';

type Needs = Pick<ProductParts, 'database' | 'clock' | 'events' | 'people'>;

type Names = 'discover' | 'person' | 'favorites' | 'addFavorite' | 'removeFavorite' | 'notifyWhenOnline';

export function peopleHandlers(parts: Needs, watches: Watches): Handlers<Names> {
  const { database, clock, events, people } = parts;
  const follow = (uId: string, shown: readonly Person[]) =>
    events.follow(
      uId,
      shown.map(({ u_id }) => u_id),
    );

  return {
    async discover({ me, query: { cursor, limit, ...filter } }) {
      const page = await people.discover(me, filter, limit, cursor);
      follow(me.uId, page.items);
      return page;
    },

    async person({ me, params }) {
      const detail = await people.detail(me, params.u_id);
      follow(me.uId, [detail]);
      return detail;
    },

    async favorites({ me, query }) {
      const { items, next } = await pairsOf(database, 'ringback_favorites', me.uId, query);
      const shown = await people.of(
        me,
        items.map(({ other }) => other),
      );
      follow(me.uId, shown);
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
