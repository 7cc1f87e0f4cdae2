import type { Rules } from '../../../../protocol/product/rules.ts';
import type { Wallet } from '../../../../protocol/product/wallet.ts';
import { Loaded } from '../../../ui/data/loaded.tsx';
import { useForm } from '../../../ui/forms/use-form.ts';
import { formatNumber } from '../../../core/i18n/format.ts';
import { m } from '../../../core/i18n/generated/messages.js';
import { Button } from '../../../../ui/kit/button.tsx';
import { FormFailure } from '../../../../ui/kit/form-failure.tsx';
import { Modal } from '../../../ui/modal.tsx';
import { NumberField } from '../../../../ui/kit/number-field.tsx';
import { useProductMutation, useProductQuery } from '../../../core/hooks/use-product.ts';
import { useUi } from '../../../ui/use-ui.ts';
import { RowsLoading } from '../transactions/rows-loading.tsx';
import styles from './deposit.module.css';
import { limitSchema, limitText } from './monthly-limit.ts';

const STEP = 1_000;
const HOUR_SECONDS = 3_600;

interface LimitSheetProps {
  wallet: Wallet;
  onClose(): void;
}

/** Edits the limit of a man's monthly spending on coins. */
export function LimitSheet({ wallet, onClose }: LimitSheetProps) {
  const rules = useProductQuery('rules', {}, { staleTime: Infinity });
  return (
    <Modal label={m.deposit_limit_title()} onClose={onClose}>
      <div className={styles.sheet}>
        <h2>{m.deposit_limit_title()}</h2>
        <Loaded query={rules} skeleton={<RowsLoading />}>
          {({ deposits }) => <LimitForm wallet={wallet} rules={deposits} onDone={onClose} />}
        </Loaded>
      </div>
    </Modal>
  );
}

interface LimitFormProps {
  wallet: Wallet;
  rules: Rules['deposits'];
  onDone(): void;
}

function LimitForm({ wallet, rules: { monthly_limit, cool_off_seconds }, onDone }: LimitFormProps) {
  const { toasts } = useUi();
  const save = useProductMutation('setDepositLimit', { invalidates: ['wallet'] });
  const form = useForm({
    schema: limitSchema(monthly_limit),
    initial: { limit: wallet.next_limit ?? wallet.limit },
    async send({ limit }) {
      toasts.show(limitText(await save.mutateAsync({ body: { limit } })));
      onDone();
    },
  });
  return (
    <form {...form.props} className={styles.form}>
      <FormFailure words={form.failure} />
      <p>{m.deposit_limit_rule({ hours: Math.round(cool_off_seconds / HOUR_SECONDS) })}</p>
      <NumberField
        lessLabel={m.field_less()}
        moreLabel={m.field_more()}
        label={m.deposit_limit_field()}
        hint={m.deposit_limit_most({ most: formatNumber(monthly_limit) })}
        min={0}
        max={monthly_limit}
        step={STEP}
        {...form.field('limit')}
      />
      <Button type="submit" look="primary" busy={form.isSending}>
        {m.deposit_limit_save()}
      </Button>
    </form>
  );
}
