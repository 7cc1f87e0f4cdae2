import { keepBoth } from '../accounts/hold-account.ts';
import type { Handlers } from '../handlers.ts';
import type { ProductParts } from '../parts.ts';
import { pairsOf } from '../people/pairs.ts';
import { Refusal } from '../refusal.ts';

type Needs = Pick<ProductParts, 'database' | 'clock' | 'ids' | 'people' | 'blocks' | 'calling' | 'accounts'>;

/** After reports from this many users in a day, a user is flagged for review (C.5). The flagged user gets no notice. */
const REPORTERS = 3;
const DAY_MS = 24 * 3_600_000;

type BlockNames = 'blocks' | 'block' | 'unblock';

export const safetyHandlers = (parts: Needs): Handlers<BlockNames | 'report'> => ({
  ...blockHandlers(parts),
  ...reportHandlers(parts),
});

function blockHandlers({
  database,
  people,
  blocks,
  calling,
  accounts,
}: Pick<Needs, 'database' | 'people' | 'blocks' | 'calling' | 'accounts'>): Handlers<BlockNames> {
  return {
    async blocks({ me, query }) {
      const { items, next } = await pairsOf(database, 'ringback_blocks', me.uId, query);
      const cards = await people.cards(items.map(({ other }) => other));
      return {
        items: items.flatMap(({ other, at }) => {
          const card = cards.get(other);
          return card ? [{ ...card, at }] : [];
        }),
        next,
      };
    },

    async block({ me, body: { u_id } }) {
      if (u_id === me.uId) throw new Refusal('invalid', 'A user cannot block their own account.', { field: 'u_id' });
      // A blocked user may block in return: the answer must not reveal the block.
      if (!(await accounts.find(u_id))) throw noSuchUser();
      await blocks.add(me.uId, u_id);
      calling.endCallsBetween(me.uId, u_id);
      return {};
    },

    async unblock({ me, params }) {
      await blocks.remove(me.uId, params.u_id);
      return {};
    },
  };
}

function reportHandlers({
  database,
  clock,
  ids,
  accounts,
}: Pick<Needs, 'database' | 'clock' | 'ids' | 'accounts'>): Handlers<'report'> {
  return {
    async report({ me, body: { u_id, reason, note } }) {
      const account = await accounts.find(u_id);
      if (!account || account.genderType === me.genderType) {
        throw noSuchUser();
      }
      const now = clock.wallTime();
      await database.transact(async (transaction) => {
        await keepBoth(database, transaction, { uId: me.uId, other: u_id, gone: noSuchUser() });
        await transaction
          .insertInto('ringback_reports')
          .values({ report_id: ids.uuid(), u_id: me.uId, other: u_id, reason, note, at: now })
          .execute();
      });
      const { count } = await database.db
        .selectFrom('ringback_reports')
        .where('other', '=', u_id)
        .where('at', '>', now - DAY_MS)
        .select(({ fn }) => fn.count('u_id').distinct().as('count'))
        .executeTakeFirstOrThrow();
      if (Number(count) >= REPORTERS) {
        await database.db
          .updateTable('ringback_profiles')
          .set({ flagged_at: now })
          .where('u_id', '=', u_id)
          .where('flagged_at', 'is', null)
          .execute();
      }
      return {};
    },
  };
}

const noSuchUser = (): Refusal => new Refusal('not_found', 'No user has this id.');
