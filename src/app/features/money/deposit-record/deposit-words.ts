import type { DepositFailure, DepositMethod, DepositStatus } from '../../../../protocol/product/wallet.ts';
import { m } from '../../../core/i18n/generated/messages.js';

const STATUS: Readonly<Record<DepositStatus, { text(): string; tone: 'good' | 'waiting' | 'bad' | 'calm' }>> = {
  processing: { text: m.deposit_processing, tone: 'waiting' },
  pending: { text: m.deposit_pending, tone: 'waiting' },
  paid: { text: m.deposit_paid, tone: 'good' },
  failed: { text: m.deposit_failed, tone: 'bad' },
  expired: { text: m.deposit_expired, tone: 'calm' },
};
const METHOD: Readonly<Record<DepositMethod, () => string>> = {
  card: m.deposit_card,
  convenience_store: m.deposit_store,
  line_pay: m.deposit_line_pay,
};
const FAILURE: Readonly<Record<DepositFailure, () => string>> = {
  declined: m.deposit_declined,
  insufficient_funds: m.deposit_insufficient,
  expired_card: m.deposit_expired_card,
  timed_out: m.deposit_timed_out,
  canceled: m.deposit_canceled,
};

/** Returns the text and the colour tone of a status. */
export const statusOf = (status: DepositStatus) => ({ text: STATUS[status].text(), tone: STATUS[status].tone });

/** Returns the name of a payment method. */
export const methodText = (method: DepositMethod): string => METHOD[method]();

/** Returns the reason of a failed payment as text. */
export const failureText = (failure: DepositFailure): string => FAILURE[failure]();
