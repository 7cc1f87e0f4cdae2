import { CircleCheck, CircleX, Clock3 } from 'lucide-react';
import { useState } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router-dom';
import type { Deposit, DepositMethod, Pack } from '../../../../protocol/product/wallet.ts';
import { Loaded } from '../../../ui/data/loaded.tsx';
import { wayBack } from '../../gifts/deposit-path.ts';
import { formatMoment, formatNumber } from '../../../core/i18n/format.ts';
import { m } from '../../../core/i18n/generated/messages.js';
import { Button } from '../../../ui/kit/button.tsx';
import { RadioCards } from '../../../ui/kit/choices.tsx';
import { Modal } from '../../../ui/kit/modal.tsx';
import { MoneyText } from '../../../ui/kit/money-text.tsx';
import { StateCard } from '../../../ui/kit/state-card.tsx';
import { StatusChip } from '../../../ui/kit/status-chip.tsx';
import { TextField } from '../../../ui/kit/text-field.tsx';
import { refusalText } from '../../../core/product/refusal-text.ts';
import { useProductMutation, useProductQuery } from '../../../core/hooks/use-product.ts';
import { useProduct } from '../../../core/hooks/areas.ts';
import { onDemand } from '../../shell/on-demand.tsx';
import { PageHeader } from '../../shell/page-header.tsx';
import { failureText, methodText } from '../deposit-record/deposit-words.ts';
import { RowsLoading } from '../transactions/rows-loading.tsx';
import styles from './deposit.module.css';
import { limitText } from './monthly-limit.ts';

const { Part: LimitSheet } = onDemand(async () => (await import('./limit-sheet.tsx')).LimitSheet);

const METHODS = ['card', 'convenience_store', 'line_pay'] as const satisfies readonly DepositMethod[];
const STALE = ['wallet', 'deposits', 'transactions'] as const;

/** Sells coins to a man. */
export default function DepositScreen() {
  const [search] = useSearchParams();
  const back = wayBack(search);
  const packs = useProductQuery('depositPacks', {});
  const wallet = useProductQuery('wallet', {});
  const [made, setMade] = useState<Deposit | null>(null);
  const [changesLimit, setChangesLimit] = useState(false);
  return (
    <>
      <PageHeader title={m.nav_deposit()} {...(back === null ? {} : { back })} />
      <Loaded query={wallet} skeleton={<RowsLoading />}>
        {(found) => (
          <>
            <section className={styles.balance} aria-label={m.deposit_balance()}>
              <span>{m.deposit_balance()}</span>
              <strong>
                <MoneyText amount={found.coins} unit="coins" />
              </strong>
              <small>{limitText(found)}</small>
              <Button look="plain" onClick={() => setChangesLimit(true)}>
                {m.deposit_limit_change()}
              </Button>
            </section>
            {made === null ? (
              <Loaded query={packs} skeleton={<RowsLoading />}>
                {({ packs: all, first_bonus_percent, is_sandbox }) => (
                  <Choice
                    packs={all}
                    firstBonus={found.is_first_deposit ? first_bonus_percent : 0}
                    isSandbox={is_sandbox}
                    onMade={setMade}
                  />
                )}
              </Loaded>
            ) : (
              <Result
                deposit={made}
                isSandbox={packs.data?.is_sandbox ?? false}
                onChange={setMade}
                onAgain={() => setMade(null)}
              />
            )}
            {changesLimit && <LimitSheet wallet={found} onClose={() => setChangesLimit(false)} />}
          </>
        )}
      </Loaded>
      {/* Drawn after the part above it, since that part would move it before the user can press it. */}
      {!wallet.isPending && !packs.isPending && (
        <p className={styles.more}>
          <Link to="/deposit-record">{m.deposits_title()}</Link>
        </p>
      )}
    </>
  );
}

interface ChoiceProps {
  packs: readonly Pack[];
  /** The additional coins of the first deposit in percent. */
  firstBonus: number;
  isSandbox: boolean;
  onMade(deposit: Deposit): void;
}

function Choice({ packs, firstBonus, isSandbox, onMade }: ChoiceProps) {
  const [packId, setPackId] = useState(() => packs.find(({ is_best }) => is_best)?.pack_id ?? null);
  const [method, setMethod] = useState<DepositMethod>('card');
  const [card, setCard] = useState('');
  const [invoice, setInvoice] = useState('');
  const [isAsking, setAsking] = useState(false);
  const { requestKeys } = useProduct();
  const pack = packs.find(({ pack_id }) => pack_id === packId);
  const buy = useProductMutation('deposit', {
    invalidates: STALE,
    onSuccess: onMade,
    onSettled: (_made, error, { body }) => {
      setAsking(false);
      requestKeys.settled('deposit', body, error);
    },
  });
  const digits = card.replaceAll(/\D/g, '');
  const isCardWrong = method === 'card' && !/^\d{12,19}$/.test(digits);
  const isInvoiceWrong = invoice !== '' && !/^(?:\d{8}|\/[0-9A-Z.+-]{7})$/.test(invoice);
  const [isTold, setTold] = useState(false);

  return (
    <form
      noValidate
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        setTold(true);
        if (pack && !isCardWrong && !isInvoiceWrong) setAsking(true);
      }}
    >
      {firstBonus > 0 && <p className={styles.first}>{m.deposit_first({ percent: firstBonus })}</p>}
      <RadioCards
        label={m.deposit_pack()}
        options={packs.map(({ pack_id, coins, bonus, price, is_best }) => ({
          value: pack_id,
          text: m.coins_amount({ amount: formatNumber(coins) }),
          hint: packHint(price, coins, bonus),
          ...(is_best ? { mark: <StatusChip tone="good">{m.deposit_best()}</StatusChip> } : {}),
        }))}
        value={packId}
        onChange={setPackId}
      />
      <RadioCards<DepositMethod>
        label={m.deposit_method()}
        options={METHODS.map((value): { value: DepositMethod; text: string } => ({ value, text: methodText(value) }))}
        value={method}
        onChange={setMethod}
      />
      {method === 'card' && (
        <TextField
          label={m.deposit_card_number()}
          {...(isSandbox ? { hint: m.deposit_sandbox_card() } : {})}
          error={isTold && isCardWrong ? m.deposit_card_wrong() : undefined}
          inputMode="numeric"
          autoComplete="cc-number"
          maxLength={23}
          value={card}
          onChange={setCard}
        />
      )}
      <TextField
        label={m.deposit_invoice()}
        hint={m.deposit_invoice_hint()}
        error={isTold && isInvoiceWrong ? m.deposit_invoice_wrong() : undefined}
        optional
        maxLength={8}
        value={invoice}
        onChange={setInvoice}
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
      {isAsking && pack && (
        <Modal label={m.deposit_confirm()} onClose={() => setAsking(false)}>
          <div className={styles.sheet}>
            <h2>{m.deposit_confirm()}</h2>
            <p>
              {m.deposit_confirm_text({
                coins: formatNumber(coinsOf(pack, firstBonus)),
                price: formatNumber(pack.price),
                method: methodText(method),
              })}
            </p>
            <Button
              look="primary"
              busy={buy.isPending}
              onClick={() => {
                const body = {
                  pack_id: pack.pack_id,
                  method,
                  ...(method === 'card' ? { card_number: digits } : {}),
                  ...(invoice === '' ? {} : { invoice }),
                };
                buy.mutate({ key: requestKeys.of('deposit', body), body });
              }}
            >
              {buy.isPending ? m.deposit_processing() : m.deposit_pay()}
            </Button>
          </div>
        </Modal>
      )}
    </form>
  );
}

const coinsOf = ({ coins, bonus }: Pack, firstBonus: number): number =>
  coins + bonus + Math.floor((coins * firstBonus) / 100);

function packHint(price: number, coins: number, bonus: number): string {
  const unit = formatNumber(Math.round((price / (coins + bonus)) * 100) / 100);
  const sum = formatNumber(price);
  return bonus === 0 ? m.deposit_pack_plain({ price: sum, unit }) : m.deposit_pack_bonus({ price: sum, bonus, unit });
}

interface ResultProps {
  deposit: Deposit;
  isSandbox: boolean;
  onChange(deposit: Deposit): void;
  onAgain(): void;
}

/** Shows the result of a payment, or what the user must still do. */
function Result({ deposit, isSandbox, onChange, onAgain }: ResultProps) {
  const { status, failure, pay_code, expires_at, coins, bonus, deposit_id } = deposit;
  const navigate = useNavigate();
  const pay = useProductMutation('paySandbox', { invalidates: STALE, onSuccess: onChange });
  if (status === 'paid') {
    return (
      <StateCard
        isAnswer
        icon={<CircleCheck />}
        title={m.deposit_done()}
        hint={m.deposit_done_hint({ coins: formatNumber(coins + bonus) })}
      >
        <Button look="primary" onClick={() => void navigate(-1)}>
          {m.deposit_back()}
        </Button>
        <Button onClick={onAgain}>{m.deposit_more()}</Button>
      </StateCard>
    );
  }
  if (status === 'pending' || status === 'processing') {
    return (
      <StateCard
        isAnswer
        icon={<Clock3 />}
        title={pay_code === null ? m.deposit_waiting() : m.deposit_code()}
        hint={m.deposit_waiting_hint({ until: formatMoment(expires_at) })}
      >
        {pay_code !== null && <p className={styles.code}>{pay_code}</p>}
        {isSandbox && (
          <Button
            look="primary"
            busy={pay.isPending}
            onClick={() => pay.mutate({ params: { deposit_id }, body: { outcome: 'paid' } })}
          >
            {m.deposit_sandbox_pay()}
          </Button>
        )}
        <Button onClick={onAgain}>{m.deposit_more()}</Button>
      </StateCard>
    );
  }
  return (
    <StateCard
      isAnswer
      role="alert"
      icon={<CircleX />}
      title={m.deposit_failed()}
      hint={failure === null ? m.deposit_expired() : failureText(failure)}
    >
      <Button look="primary" onClick={onAgain}>
        {m.retry()}
      </Button>
    </StateCard>
  );
}
