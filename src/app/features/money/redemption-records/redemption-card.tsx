import { Check } from 'lucide-react';
import type { Redemption, RedemptionState } from '../../../../protocol/product/points.ts';
import { formatMoment, formatNumber } from '../../../core/i18n/format.ts';
import { m } from '../../../core/i18n/generated/messages.js';
import { Button } from '../../../../ui/kit/button.tsx';
import { FormFailure } from '../../../../ui/kit/form-failure.tsx';
import { MoneyText } from '../../../ui/money/money-text.tsx';
import { StatusChip } from '../../../../ui/kit/status-chip.tsx';
import { bankName } from '../points/bank-name.ts';
import { refusalText } from '../../../core/product/refusal-text.ts';
import { useProductMutation } from '../../../core/hooks/use-product.ts';
import { useUi } from '../../../ui/use-ui.ts';
import styles from './redemption-records.module.css';

const CHIPS: Readonly<Record<RedemptionState, { readonly tone: 'good' | 'waiting' | 'bad' | 'calm'; text(): string }>> =
  {
    pending: { tone: 'waiting', text: m.records_pending },
    reviewing: { tone: 'waiting', text: m.records_reviewing },
    approved: { tone: 'waiting', text: m.records_approved },
    paid: { tone: 'good', text: m.records_paid },
    rejected: { tone: 'bad', text: m.records_rejected },
    cancelled: { tone: 'calm', text: m.records_cancelled },
  };

/** Shows one redemption: its state, its sums and its actions. */
export function RedemptionCard({ redemption }: { redemption: Redemption }) {
  const { state, amount, fee, net, bank_code, tail, created_at } = redemption;
  const { tone, text } = CHIPS[state];
  return (
    <article className={styles.card} aria-label={m.records_at({ at: formatMoment(created_at) })}>
      <header className={styles.head}>
        <div>
          <h2>
            <MoneyText amount={net} unit="twd" />
          </h2>
          <p>{m.records_at({ at: formatMoment(created_at) })}</p>
        </div>
        <StatusChip tone={tone}>{text()}</StatusChip>
      </header>
      {state !== 'rejected' && state !== 'cancelled' && <Steps redemption={redemption} />}
      {whatCameBack(redemption) !== null && <p className={styles.reason}>{whatCameBack(redemption)}</p>}
      <dl className={styles.facts}>
        <Fact name={m.records_amount()}>
          <MoneyText amount={amount} unit="points" />
        </Fact>
        <Fact name={m.records_fee()}>
          <MoneyText amount={fee} unit="twd" />
        </Fact>
        <Fact name={m.records_account()}>{m.points_account_line({ bank: bankName(bank_code), tail })}</Fact>
        <When of={redemption} />
      </dl>
      {state === 'pending' && <Cancel redemption={redemption} />}
    </article>
  );
}

const Fact = ({ name, children }: { name: string; children: React.ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);

function When({ of: { state, ended_at, expected_at } }: { of: Redemption }) {
  if (ended_at === null) return <Fact name={m.records_expected()}>{formatMoment(expected_at)}</Fact>;
  return <Fact name={state === 'paid' ? m.records_paid_at() : m.records_ended_at()}>{formatMoment(ended_at)}</Fact>;
}

/** Shows the steps of a redemption: requested, reviewed, paid out, done. */
function Steps({ redemption: { state } }: { redemption: Redemption }) {
  const names = [m.records_asked(), m.records_review(), m.records_payout(), m.records_done()];
  const at = { pending: 0, reviewing: 1, approved: 2, paid: 4, rejected: 4, cancelled: 4 }[state];
  return (
    <ol className={styles.steps} aria-label={m.records_steps()}>
      {names.map((name, place) => (
        <li
          key={name}
          data-done={place < at || undefined}
          aria-current={place === at ? 'step' : undefined}
          className={styles.step}
        >
          {place < at && <Check aria-hidden="true" size={14} />}
          {name}
          {place < at && <span className="visually-hidden">{m.step_done()}</span>}
        </li>
      ))}
    </ol>
  );
}

function whatCameBack({ state, fault, amount: points }: Redemption): string | null {
  const amount = formatNumber(points);
  if (state === 'cancelled') return m.records_cancelled_hint({ amount });
  switch (fault) {
    case null:
      return null;
    case 'name_differs':
      return m.records_name_differs({ amount });
    case 'account_refused':
      return m.records_account_refused({ amount });
    default:
      return fault satisfies never;
  }
}

function Cancel({ redemption: { redemption_id, amount } }: { redemption: Redemption }) {
  const { dialogs } = useUi();
  const cancel = useProductMutation('cancelRedemption', { invalidates: ['redemptions', 'points'] });
  async function ask(): Promise<void> {
    const agreed = await dialogs.confirm({
      title: m.records_cancel_title(),
      text: m.records_cancel_hint({ amount: formatNumber(amount) }),
      confirm: m.records_cancel(),
      cancel: m.records_cancel_keep(),
    });
    if (agreed) cancel.mutate({ params: { redemption_id } });
  }
  return (
    <>
      <FormFailure words={cancel.error === null ? null : refusalText(cancel.error)} />
      <Button busy={cancel.isPending} onClick={() => void ask()}>
        {m.records_cancel()}
      </Button>
    </>
  );
}
