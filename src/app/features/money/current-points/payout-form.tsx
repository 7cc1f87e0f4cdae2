import * as v from 'valibot';
import { accountNumber, BANK_CODES, bankCode, holderName } from '../../../../protocol/product/points.ts';
import { OwnerProofField } from '../../account/verification-codes/owner-proof-field.tsx';
import { NO_PROOF, typedProof } from '../../account/verification-codes/owner-proof.ts';
import { useForm } from '../../../ui/forms/use-form.ts';
import { UsernameOfPassword } from '../../../ui/forms/username-of-password.tsx';
import { m } from '../../../core/i18n/generated/messages.js';
import { Button } from '../../../../ui/kit/button.tsx';
import { FormFailure } from '../../../../ui/kit/form-failure.tsx';
import { SelectField } from '../../../../ui/kit/select-field.tsx';
import { TextField } from '../../../../ui/kit/text-field.tsx';
import { bankName } from '../points/bank-name.ts';
import { useProductMutation } from '../../../core/hooks/use-product.ts';
import styles from './redeem-sheet.module.css';

const digits = (text: string): string => text.replaceAll(/[\s-]/g, '');

/** Wraps the schema of a field, so that every error of it has the same message. */
const said = (schema: v.GenericSchema<string, string>, words: () => string) =>
  v.pipe(
    v.string(),
    v.check((value) => v.is(schema, value), words),
  );

const schema = v.object({
  bank_code: said(bankCode, () => m.points_account_bank_wrong()),
  account_number: v.pipe(
    v.string(),
    v.transform(digits),
    v.check(
      (value) => v.is(accountNumber, value),
      () => m.points_account_number_wrong(),
    ),
  ),
  holder: said(holderName, () => m.points_account_holder_wrong()),
  proof: typedProof,
});

const BANKS = BANK_CODES.map((value) => ({ value, text: () => `${value} ${bankName(value)}` }));

/** Edits the bank account that receives the points. */
export function PayoutForm({ onSaved }: { onSaved(): void }) {
  const save = useProductMutation('setPayoutAccount', { invalidates: ['points', 'payoutAccount'] });
  const form = useForm({
    schema,
    initial: { bank_code: '', account_number: '', holder: '', proof: NO_PROOF },
    refusals: { wrong_credentials: () => m.owner_wrong() },
    async send({ bank_code, ...rest }) {
      await save.mutateAsync({ body: { bank_code: v.parse(bankCode, bank_code), ...rest } });
      onSaved();
    },
  });
  return (
    <form {...form.props} className={styles.form}>
      <FormFailure words={form.failure} />
      <SelectField
        prompt={m.field_choose()}
        label={m.points_account_bank()}
        options={BANKS.map(({ value, text }) => ({ value, text: text() }))}
        {...form.field('bank_code')}
      />
      <TextField
        label={m.points_account_number()}
        hint={m.points_account_number_hint()}
        inputMode="numeric"
        autoComplete="off"
        maxLength={24}
        {...form.field('account_number')}
      />
      <TextField
        label={m.points_account_holder()}
        hint={m.points_account_holder_hint()}
        autoComplete="name"
        maxLength={60}
        {...form.field('holder')}
      />
      <UsernameOfPassword />
      <OwnerProofField change="payout_account" {...form.field('proof')} />
      <Button type="submit" look="primary" busy={form.isSending}>
        {m.points_account_save()}
      </Button>
    </form>
  );
}
