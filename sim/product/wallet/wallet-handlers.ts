import type { Handlers } from '../handlers.ts';
import type { ProductParts } from '../parts.ts';
import { Refusal } from '../refusal.ts';
import { DEPOSIT_RULES, PACKS } from '../rules.ts';
import type { Deposits } from './deposits.ts';
import { History } from './history.ts';

type Needs = Pick<ProductParts, 'payments' | 'receipts' | 'database' | 'portraitUrl'>;

type BalanceNames = 'wallet' | 'setDepositLimit';
type DepositNames = 'depositPacks' | 'deposit' | 'deposits' | 'depositOf' | 'paySandbox';
type HistoryNames = 'transactions' | 'chargeSessions' | 'chargeSession';

export const walletHandlers = (
  parts: Needs,
  deposits: Deposits,
): Handlers<BalanceNames | DepositNames | HistoryNames> => ({
  ...balanceHandlers(deposits),
  ...depositHandlers(parts, deposits),
  ...historyHandlers(new History(parts)),
});

function balanceHandlers(deposits: Deposits): Handlers<BalanceNames> {
  return {
    wallet: ({ me }) => deposits.wallet(me.uId),

    async setDepositLimit({ me, body: { limit } }) {
      if (limit > DEPOSIT_RULES.monthlyLimit) {
        throw new Refusal('invalid', `limit may be at most ${DEPOSIT_RULES.monthlyLimit} New Taiwan dollars a month.`, {
          field: 'limit',
        });
      }
      await deposits.setLimit(me.uId, limit);
      return deposits.wallet(me.uId);
    },
  };
}

function depositHandlers(
  { payments, receipts }: Pick<Needs, 'payments' | 'receipts'>,
  deposits: Deposits,
): Handlers<DepositNames> {
  return {
    depositPacks: () => ({
      packs: [...PACKS],
      first_bonus_percent: DEPOSIT_RULES.firstBonusPercent,
      is_sandbox: payments.play !== null,
    }),

    async deposit({ me, body, key }) {
      const { pack_id, method, card_number: cardNumber = null } = body;
      const pack = PACKS.find((one) => one.pack_id === pack_id);
      if (!pack) throw new Refusal('not_found', 'pack_id is not in the list of packs.', { field: 'pack_id' });
      if (method === 'card' && cardNumber === null) {
        throw new Refusal('invalid', 'A payment by card needs card_number.', { field: 'card_number' });
      }
      // The number of a card is never stored, not even as a hash.
      const request = {
        uId: me.uId,
        name: 'deposit' as const,
        key,
        content: { ...body, card_number: cardNumber?.slice(-4) },
      };
      const depositId = await receipts.once(request, {
        run: async (transaction) => ({ answer: await deposits.open(transaction, me.uId, pack, body), changed: null }),
      });
      await deposits.pay(me.uId, depositId, cardNumber);
      return deposits.one(me.uId, depositId);
    },

    deposits: ({ me, query }) => deposits.list(me.uId, query),

    depositOf: ({ me, params }) => deposits.one(me.uId, params.deposit_id),

    async paySandbox({ me, params, body: { outcome } }) {
      if (!payments.play) throw new Refusal('not_found', 'This server takes real payments, which cannot be simulated.');
      const before = await deposits.one(me.uId, params.deposit_id);
      if (before.status !== 'pending') throw new Refusal('wrong_state', 'The deposit is not waiting for a payment.');
      await payments.play(before.order_no, outcome);
      await deposits.askAbout(me.uId, params.deposit_id);
      return deposits.one(me.uId, params.deposit_id);
    },
  };
}

const historyHandlers = (history: History): Handlers<HistoryNames> => ({
  transactions: ({ me, query }) => history.entries(me, query),
  chargeSessions: ({ me, query }) => history.sessions(me, query),
  chargeSession: ({ me, params }) => history.session(me, params.session_id),
});
