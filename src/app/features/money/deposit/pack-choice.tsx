import { useState } from 'react';
import type { AskOf } from '../../../../protocol/product/api.ts';
import type { Deposit, DepositMethod, Pack } from '../../../../protocol/product/wallet.ts';
import { useProduct } from '../../../core/hooks/areas.ts';
import { useProductMutation } from '../../../core/hooks/use-product.ts';
import { formatNumber } from '../../../core/i18n/format.ts';
import { m } from '../../../core/i18n/generated/messages.js';
import { refusalText } from '../../../core/product/refusal-text.ts';
import { Button } from '../../../../ui/kit/button.tsx';
import { RadioCards } from '../../../../ui/kit/choices.tsx';
import { Modal } from '../../../ui/modal.tsx';
import { StatusChip } from '../../../../ui/kit/status-chip.tsx';
import { TextField } from '../../../../ui/kit/text-field.tsx';
import { methodText } from '../deposit-record/deposit-words.ts';
import styles from './deposit.module.css';

/** The requests whose answers are stale after a deposit. */
export const STALE_AFTER_DEPOSIT = ['wallet', 'deposits', 'transactions'] as const;

const METHODS = ['card', 'convenience_store', 'line_pay'] as const satisfies readonly DepositMethod[];

interface PackChoiceProps {
  packs: readonly Pack[];
  /** The additional coins of the first deposit in percent. */
  firstBonus: number;
  isSandbox: boolean;
  onMade(deposit: Deposit): void;
}

/**
 * The progress of a purchase. `filling`: the form was not submitted, and shows no fault. `checked`: it was submitted.
 * `asking`: it has no fault, and the user confirms the payment.
 */
type Stage = 'filling' | 'checked' | 'asking';

/** Sells a pack of coins: the choice of the pack and of the payment, then the confirmation. */
export function PackChoice({ packs, firstBonus, isSandbox, onMade }: PackChoiceProps) {
  const [packId, setPackId] = useState(() => packs.find(({ is_best }) => is_best)?.pack_id ?? null);
  const [payment, setPayment] = useState<Payment>({ method: 'card', card: '', invoice: '' });
  const [stage, setStage] = useState<Stage>('filling');
  const { requestKeys } = useProduct();
  const pack = packs.find(({ pack_id }) => pack_id === packId);
  const faults = faultsOf(payment);
  const buy = useProductMutation('deposit', {
    invalidates: STALE_AFTER_DEPOSIT,
    onSuccess: onMade,
    onSettled: (_made, error, { body }) => {
      setStage('checked');
      requestKeys.settled('deposit', body, error);
    },
  });

  return (
    <form
      noValidate
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        setStage(pack && !faults.card && !faults.invoice ? 'asking' : 'checked');
      }}
    >
      {firstBonus > 0 && <p className={styles.first}>{m.deposit_first({ percent: firstBonus })}</p>}
      <Packs packs={packs} chosen={packId} onChoose={setPackId} />
      <PaymentFields
        payment={payment}
        faults={stage === 'filling' ? NO_FAULTS : faults}
        isSandbox={isSandbox}
        onChange={setPayment}
      />
      <p className={styles.legal}>{m.deposit_legal()}</p>
      {buy.error && (
        <p role="alert" className={styles.failure}>
          {refusalText(buy.error)}
        </p>
      )}
      <Button look="primary" type="submit">
        {pack ? m.deposit_go({ price: formatNumber(pack.price) }) : m.nav_deposit()}
      </Button>
      {stage === 'asking' && pack && (
        <Confirmation
          pack={pack}
          firstBonus={firstBonus}
          method={payment.method}
          isPaying={buy.isPending}
          onClose={() => setStage('checked')}
          onPay={() => {
            const body = bodyOf(pack, payment);
            buy.mutate({ key: requestKeys.of('deposit', body), body });
          }}
        />
      )}
    </form>
  );
}

interface PacksProps {
  packs: readonly Pack[];
  /** The id of the chosen pack. Null without one. */
  chosen: string | null;
  onChoose(packId: string): void;
}

function Packs({ packs, chosen, onChoose }: PacksProps) {
  return (
    <RadioCards
      label={m.deposit_pack()}
      options={packs.map(({ pack_id, coins, bonus, price, is_best }) => ({
        value: pack_id,
        text: m.coins_amount({ amount: formatNumber(coins) }),
        hint: packHint(price, coins, bonus),
        ...(is_best ? { mark: <StatusChip tone="good">{m.deposit_best()}</StatusChip> } : {}),
      }))}
      value={chosen}
      onChange={onChoose}
    />
  );
}

/** How the user pays. */
interface Payment {
  readonly method: DepositMethod;
  /** The number of the card as the user writes it. */
  readonly card: string;
  /** The number of the company or of the carrier of the invoice. Empty without one. */
  readonly invoice: string;
}

const NO_FAULTS = { card: false, invoice: false } as const;

const digitsOf = (card: string): string => card.replaceAll(/\D/g, '');

function faultsOf({ method, card, invoice }: Payment): Readonly<Record<'card' | 'invoice', boolean>> {
  return {
    card: method === 'card' && !/^\d{12,19}$/.test(digitsOf(card)),
    invoice: invoice !== '' && !/^(?:\d{8}|\/[0-9A-Z.+-]{7})$/.test(invoice),
  };
}

function bodyOf(pack: Pack, { method, card, invoice }: Payment): AskOf<'deposit'>['body'] {
  return {
    pack_id: pack.pack_id,
    method,
    ...(method === 'card' ? { card_number: digitsOf(card) } : {}),
    ...(invoice === '' ? {} : { invoice }),
  };
}

interface PaymentFieldsProps {
  payment: Payment;
  faults: ReturnType<typeof faultsOf>;
  isSandbox: boolean;
  onChange(payment: Payment): void;
}

function PaymentFields({ payment, faults, isSandbox, onChange }: PaymentFieldsProps) {
  return (
    <>
      <RadioCards<DepositMethod>
        label={m.deposit_method()}
        options={METHODS.map((value): { value: DepositMethod; text: string } => ({ value, text: methodText(value) }))}
        value={payment.method}
        onChange={(method) => onChange({ ...payment, method })}
      />
      {payment.method === 'card' && (
        <TextField
          label={m.deposit_card_number()}
          {...(isSandbox ? { hint: m.deposit_sandbox_card() } : {})}
          error={faults.card ? m.deposit_card_wrong() : undefined}
          inputMode="numeric"
          autoComplete="cc-number"
          maxLength={23}
          value={payment.card}
          onChange={(card) => onChange({ ...payment, card })}
        />
      )}
      <TextField
        label={m.deposit_invoice()}
        hint={m.deposit_invoice_hint()}
        error={faults.invoice ? m.deposit_invoice_wrong() : undefined}
        optional={m.field_optional()}
        maxLength={8}
        value={payment.invoice}
        onChange={(invoice) => onChange({ ...payment, invoice })}
      />
    </>
  );
}

interface ConfirmationProps {
  pack: Pack;
  firstBonus: number;
  method: DepositMethod;
  isPaying: boolean;
  onClose(): void;
  onPay(): void;
}

function Confirmation({ pack, firstBonus, method, isPaying, onClose, onPay }: ConfirmationProps) {
  return (
    <Modal label={m.deposit_confirm()} onClose={onClose}>
      <div className={styles.sheet}>
        <h2>{m.deposit_confirm()}</h2>
        <p>
          {m.deposit_confirm_text({
            coins: formatNumber(coinsOf(pack, firstBonus)),
            price: formatNumber(pack.price),
            method: methodText(method),
          })}
        </p>
        <Button look="primary" busy={isPaying} onClick={onPay}>
          {isPaying ? m.deposit_processing() : m.deposit_pay()}
        </Button>
      </div>
    </Modal>
  );
}

const coinsOf = ({ coins, bonus }: Pack, firstBonus: number): number =>
  coins + bonus + Math.floor((coins * firstBonus) / 100);

function packHint(price: number, coins: number, bonus: number): string {
  const unit = formatNumber(Math.round((price / (coins + bonus)) * 100) / 100);
  const sum = formatNumber(price);
  return bonus === 0 ? m.deposit_pack_plain({ price: sum, unit }) : m.deposit_pack_bonus({ price: sum, bonus, unit });
}
