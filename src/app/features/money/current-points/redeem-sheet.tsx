import { useState } from 'react';
import * as v from 'valibot';
import type { PayoutAccount, Points } from '../../../../protocol/product/points.ts';
import { CodeEntry } from '../../account/verification-codes/code-entry.tsx';
import { createCodeRequest } from '../../account/verification-codes/code-request.ts';
import { codeField } from '../../../ui/forms/fields.ts';
import { useForm } from '../../../ui/forms/use-form.ts';
import { formatMoment, formatNumber } from '../../../core/i18n/format.ts';
import { m } from '../../../core/i18n/generated/messages.js';
import { Button } from '../../../../ui/kit/button.tsx';
import { FormFailure } from '../../../../ui/kit/form-failure.tsx';
import { Modal } from '../../../ui/modal.tsx';
import { MoneyText } from '../../../ui/money/money-text.tsx';
import { NumberField } from '../../../../ui/kit/number-field.tsx';
import { bankName } from '../points/bank-name.ts';
import { useProductMutation } from '../../../core/hooks/use-product.ts';
import { usePorts, useProduct } from '../../../core/hooks/areas.ts';
import { useUi } from '../../../ui/use-ui.ts';
import { mostToRedeem } from './may-redeem.ts';
import { PayoutForm } from './payout-form.tsx';
import styles from './redeem-sheet.module.css';

interface RedeemSheetProps {
  points: Points;
  startsWith: 'redeem' | 'account';
  onClose(): void;
}

/** Asks for the amount, shows the account and the net sum, and redeems the points. */
export function RedeemSheet({ points, startsWith, onClose }: RedeemSheetProps) {
  const [shows, setShows] = useState(startsWith);
  const { account, contact } = points.redeeming;
  const title = shows === 'account' ? m.points_account_title() : m.points_redeem();

  function saved(): void {
    if (startsWith === 'redeem') setShows('redeem');
    else onClose();
  }

  return (
    <Modal label={title} onClose={onClose}>
      <div className={styles.sheet}>
        <h2>{title}</h2>
        {shows === 'account' || account === null || contact === null ? (
          <PayoutForm onSaved={saved} />
        ) : (
          <RedeemForm
            points={points}
            account={account}
            contact={contact}
            onAccount={() => setShows('account')}
            onDone={onClose}
          />
        )}
      </div>
    </Modal>
  );
}

interface RedeemFormProps {
  points: Points;
  account: PayoutAccount;
  /** The masked contact that receives the code. */
  contact: string;
  onAccount(): void;
  onDone(): void;
}

function RedeemForm({ points, account, contact, onAccount, onDone }: RedeemFormProps) {
  const { least, step, fee } = points.redeeming;
  const most = mostToRedeem(points);
  const ports = usePorts();
  const { dialogs } = useUi();
  const { product } = useProduct();
  const [codes] = useState(() =>
    createCodeRequest({ clock: ports.clock, request: () => product.ask('sendRedeemCode', {}) }),
  );
  // One idempotency key for this redemption, however often the request is sent.
  const [key] = useState(ports.newId);
  const redeem = useProductMutation('redeem', { invalidates: ['points', 'redemptions'] });
  const form = useForm({
    schema: formSchema(points),
    initial: { amount: most, code: '' },
    refusals: { limit_reached: () => m.redeem_limit() },
    async send({ amount, code }) {
      const { bank_code, tail, changed_at } = account;
      const asked = await redeem.mutateAsync({
        body: { amount: amount ?? 0, code, account: { bank_code, tail, changed_at } },
        key: `${key}-${amount}-${changed_at}`,
      });
      onDone();
      void dialogs.alert({
        title: m.redeem_done(),
        text: m.points_reviewing_on({ at: formatMoment(asked.expected_at) }),
      });
    },
  });
  const amount = form.values.amount ?? 0;
  const net = Math.max(0, amount - fee);
  return (
    <form {...form.props} className={styles.form}>
      <FormFailure words={form.failure} />
      <NumberField
        lessLabel={m.field_less()}
        moreLabel={m.field_more()}
        label={m.redeem_amount()}
        hint={m.redeem_amount_hint(boundsOf(points))}
        min={least}
        max={most}
        step={step}
        {...form.field('amount')}
      />
      <AccountLine account={account} onChange={onAccount} />
      <Sums amount={amount} fee={fee} net={net} />
      <CodeEntry {...form.field('code')} request={codes} to={contact} isMasked />
      <Button type="submit" look="primary" busy={form.isSending}>
        {m.redeem_confirm({ net: formatNumber(net) })}
      </Button>
    </form>
  );
}

/** Returns the bounds of an amount as the user reads them. */
function boundsOf(points: Points): Record<'least' | 'step' | 'most', string> {
  const { least, step } = points.redeeming;
  return { least: formatNumber(least), step: formatNumber(step), most: formatNumber(mostToRedeem(points)) };
}

function formSchema(points: Points) {
  const { least, step } = points.redeeming;
  const most = mostToRedeem(points);
  return v.object({
    amount: v.pipe(
      v.nullable(v.number()),
      v.check(
        (amount) => amount !== null && amount >= least && amount <= most && amount % step === 0,
        () => m.redeem_amount_wrong(boundsOf(points)),
      ),
    ),
    code: codeField,
  });
}

/** Shows the account that receives the money. */
function AccountLine({ account, onChange }: { account: PayoutAccount; onChange(): void }) {
  return (
    <section className={styles.account}>
      <div>
        <h3>{m.points_account_title()}</h3>
        <p>{m.points_account_line({ bank: bankName(account.bank_code), tail: account.tail })}</p>
        <p>{account.holder}</p>
      </div>
      <Button onClick={onChange}>{m.points_account_change()}</Button>
    </section>
  );
}

/** Shows the amount, the fee and the money that the user receives. */
function Sums({ amount, fee, net }: Record<'amount' | 'fee' | 'net', number>) {
  return (
    <dl className={styles.sums}>
      <div>
        <dt>{m.redeem_summary()}</dt>
        <dd>
          <MoneyText amount={amount} unit="twd" />
        </dd>
      </div>
      <div>
        <dt>{m.redeem_fee()}</dt>
        <dd>
          <MoneyText amount={-fee} unit="twd" />
        </dd>
      </div>
      <div className={styles.net}>
        <dt>{m.redeem_net()}</dt>
        <dd>
          <MoneyText amount={net} unit="twd" />
        </dd>
      </div>
    </dl>
  );
}
