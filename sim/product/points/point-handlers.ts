import { sql } from 'kysely';
import { taipeiDay } from '../calendar.ts';
import { maskContact } from '../../../src/protocol/product/contact.ts';
import { confirming } from '../accounts/contacts.ts';
import { keepAccount } from '../accounts/hold-account.ts';
import type { Owners } from '../accounts/owners.ts';
import type { Handlers } from '../handlers.ts';
import type { ProductParts } from '../parts.ts';
import { Refusal } from '../refusal.ts';
import { DAY_MS, TAIPEI_OFFSET_MS, REDEMPTION_RULES } from '../rules.ts';
import { incomeByDay, incomeBySource, incomeByUser } from './income.ts';
import type { PayoutAccounts } from './payout-accounts.ts';
import type { RedeemRequirements } from './redeem-requirements.ts';
import type { Redemptions } from './redemptions.ts';
import { tierOf } from './tier.ts';

type Needs = Pick<ProductParts, 'database' | 'clock' | 'ledger' | 'contacts' | 'letters' | 'portraitUrl'>;

type BalanceNames = 'points';
type IncomeNames = 'income';
type AccountNames = 'payoutAccount' | 'setPayoutAccount';
type RedemptionNames = 'sendRedeemCode' | 'redeem' | 'redemptions' | 'cancelRedemption';

const CHART_DAYS = 30;
const LONGEST_MS = 366 * DAY_MS;
const SUPPORTERS = 50;
const HOUR_MS = 3_600_000;

export function pointHandlers(
  parts: Needs,
  owners: Owners,
  accounts: PayoutAccounts,
  requirements: RedeemRequirements,
  redemptions: Redemptions,
): Handlers<BalanceNames | IncomeNames | AccountNames | RedemptionNames> {
  return {
    ...balanceHandlers(parts, accounts, requirements, redemptions),
    ...incomeHandlers(parts),
    ...accountHandlers(parts, owners, accounts),
    sendRedeemCode: ({ me }) => requirements.sendCode(me.uId),
    redeem: ({ me, body, key }) => redemptions.request(me.uId, { ...body, key }),
    redemptions: ({ me, query }) => redemptions.list(me.uId, query),
    cancelRedemption: ({ me, params }) => redemptions.cancel(me.uId, params.redemption_id),
  };
}

function balanceHandlers(
  { database, clock, ledger, contacts }: Pick<Needs, 'database' | 'clock' | 'ledger' | 'contacts'>,
  accounts: PayoutAccounts,
  requirements: RedeemRequirements,
  redemptions: Redemptions,
): Handlers<BalanceNames> {
  return {
    async points({ me: { uId } }) {
      const now = clock.wallTime();
      await redemptions.settlePoints(uId);
      const open = await redemptions.open(uId);
      const { contact, from: contact_from } = confirming(await contacts.of(uId), now);
      const today = taipeiDay(now);
      const span = { uId, from: (today - CHART_DAYS + 1) * DAY_MS - TAIPEI_OFFSET_MS, to: now + 1 };
      const { items } = await incomeByDay(database, span);
      return {
        available: await ledger.balance(`points:${uId}`),
        settling: await ledger.balance(`settling:${uId}`),
        reviewing: await ledger.balance(`reviewing:${uId}`),
        settles: await settles(database, uId),
        tier: await tierOf(database.db, uId, now),
        days: items.map(({ key, points }) => ({ day: key, points })),
        redeeming: {
          least: REDEMPTION_RULES.least,
          step: REDEMPTION_RULES.step,
          fee: REDEMPTION_RULES.fee,
          daily_most: REDEMPTION_RULES.dailyMost,
          left_today: await requirements.leftToday(uId),
          missing: await requirements.missing(uId),
          contact: contact && maskContact(contact),
          contact_from,
          open,
          account: await accounts.shown(uId),
        },
      };
    },
  };
}

function incomeHandlers({ database, portraitUrl }: Pick<Needs, 'database' | 'portraitUrl'>): Handlers<IncomeNames> {
  return {
    async income({ me: { uId }, query: { from, to, group } }) {
      if (from >= to || to - from > LONGEST_MS) {
        throw new Refusal('invalid', 'The period from "from" to "to" may have at most 366 days.', { field: 'from' });
      }
      const span = { uId, from, to };
      if (group === 'day') return incomeByDay(database, span);
      if (group === 'source') return incomeBySource(database, span);
      const all = await incomeByUser(database, span);
      const items = all.items.slice(0, SUPPORTERS);
      const names = await nicknames(
        database,
        items.map(({ key }) => key),
      );
      return {
        ...all,
        items: items.map((item) => ({
          ...item,
          supporter: { u_id: item.key, nickname: names.get(item.key) ?? '', profile_url: portraitUrl(item.key) },
        })),
      };
    },
  };
}

function accountHandlers(
  { database, contacts, letters }: Pick<Needs, 'database' | 'contacts' | 'letters'>,
  owners: Owners,
  accounts: PayoutAccounts,
): Handlers<AccountNames> {
  return {
    payoutAccount: async ({ me }) => ({ account: await accounts.shown(me.uId) }),

    async setPayoutAccount({ me: { uId }, body: { proof, ...account } }) {
      const proven = await owners.check(uId, 'payout_account', proof);
      await database.transact(async (transaction) => {
        await keepAccount(database, transaction, uId);
        await proven.use(transaction);
        const isOther = await accounts.set(transaction, uId, account);
        if (isOther) await letters.keep(transaction, await contacts.of(uId, transaction), 'payout_account_changed');
      });
      letters.deliver();
      return { account: await accounts.shown(uId) };
    },
  };
}

/** Returns when earned points become available, grouped by hour. Each group has its last time. */
async function settles(database: Needs['database'], uId: string) {
  const rows = await database.db
    .selectFrom('ringback_settlements')
    .where('u_id', '=', uId)
    .select(({ fn }) => [fn.max('due_at').as('at'), fn.sum<number | string>('points').as('points')])
    .groupBy(sql`due_at / ${sql.lit(HOUR_MS)}`)
    .orderBy('at')
    .execute();
  return rows.map(({ at, points }) => ({ at, points: Number(points) }));
}

async function nicknames(database: Needs['database'], uIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (uIds.length === 0) return new Map();
  const rows = await database.db
    .selectFrom('ringback_profiles')
    .where('u_id', 'in', uIds)
    .select(['u_id', 'nickname'])
    .execute();
  return new Map(rows.map(({ u_id, nickname }) => [u_id, nickname]));
}
