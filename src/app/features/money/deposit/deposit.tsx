import { CircleCheck, CircleX, Clock3 } from 'lucide-react';
import { useState } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router-dom';
import type { Deposit } from '../../../../protocol/product/wallet.ts';
import { Loaded } from '../../../ui/data/loaded.tsx';
import { wayBack } from '../../gifts/deposit-path.ts';
import { formatMoment, formatNumber } from '../../../core/i18n/format.ts';
import { m } from '../../../core/i18n/generated/messages.js';
import { Button } from '../../../../ui/kit/button.tsx';
import { MoneyText } from '../../../ui/money/money-text.tsx';
import { StateCard } from '../../../../ui/kit/state-card.tsx';
import { useProductMutation, useProductQuery } from '../../../core/hooks/use-product.ts';
import { onDemand } from '../../shell/on-demand.tsx';
import { PageHeader } from '../../shell/page-header.tsx';
import { failureText } from '../deposit-record/deposit-words.ts';
import { RowsLoading } from '../transactions/rows-loading.tsx';
import styles from './deposit.module.css';
import { limitText } from './monthly-limit.ts';
import { PackChoice, STALE_AFTER_DEPOSIT } from './pack-choice.tsx';

const { Part: LimitSheet } = onDemand(async () => (await import('./limit-sheet.tsx')).LimitSheet);

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
                  <PackChoice
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
  const pay = useProductMutation('paySandbox', { invalidates: STALE_AFTER_DEPOSIT, onSuccess: onChange });
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
