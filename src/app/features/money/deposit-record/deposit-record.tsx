import { Clipboard, Coins } from 'lucide-react';
import { useState } from 'react';
import type { Deposit, DepositStatus } from '../../../../protocol/product/wallet.ts';
import { Loaded } from '../../../ui/data/loaded.tsx';
import { formatMoment, formatMonth, formatNumber } from '../../../core/i18n/format.ts';
import { m } from '../../../core/i18n/generated/messages.js';
import { Button, LinkButton } from '../../../../ui/kit/button.tsx';
import { ListRow } from '../../../../ui/kit/list-row.tsx';
import { Modal } from '../../../ui/modal.tsx';
import { MoneyText } from '../../../ui/money/money-text.tsx';
import { Pager } from '../../../ui/data/pager.tsx';
import { Segments } from '../../../../ui/kit/segments.tsx';
import { StateCard } from '../../../../ui/kit/state-card.tsx';
import { StatusChip } from '../../../../ui/kit/status-chip.tsx';
import { useProductPages } from '../../../core/hooks/use-product.ts';
import { usePorts } from '../../../core/hooks/areas.ts';
import { useUi } from '../../../ui/use-ui.ts';
import { PageHeader } from '../../shell/page-header.tsx';
import { copyText } from '../../../../ui/toasts/copy-text.ts';
import { RowsLoading } from '../transactions/rows-loading.tsx';
import styles from '../transactions/transactions.module.css';
import { failureText, methodText, statusOf } from './deposit-words.ts';

const FILTERS = ['all', 'paid', 'pending', 'failed'] as const satisfies readonly ('all' | DepositStatus)[];
type Filter = (typeof FILTERS)[number];

/** Lists the deposits of a man by month. */
export default function DepositRecord() {
  const [filter, setFilter] = useState<Filter>('all');
  const pages = useProductPages('deposits', { query: filter === 'all' ? {} : { status: filter } });
  const [openId, setOpenId] = useState<string | null>(null);
  return (
    <>
      <PageHeader title={m.deposits_title()} back="/purchase/deposit" />
      <div className={styles.filter}>
        <Segments<Filter>
          label={m.deposits_filter()}
          showLabel={false}
          options={FILTERS.map((value): { value: Filter; text: string } => ({
            value,
            text: value === 'all' ? m.transactions_all() : statusOf(value).text,
          }))}
          value={filter}
          onChange={setFilter}
        />
      </div>
      <Loaded
        query={pages}
        skeleton={<RowsLoading />}
        isEmpty={(deposits) => deposits.length === 0}
        empty={
          <StateCard icon={<Coins />} title={m.deposits_none()} hint={m.deposits_none_hint()}>
            <LinkButton look="primary" to="/purchase/deposit">
              {m.nav_deposit()}
            </LinkButton>
          </StateCard>
        }
      >
        {(deposits) => {
          const opened = deposits.find(({ deposit_id }) => deposit_id === openId);
          return (
            <>
              {byMonth(deposits).map(({ month, items }) => (
                <section key={month} aria-label={month} className={styles.month}>
                  <h2>{month}</h2>
                  <ul className={styles.list}>
                    {items.map((deposit) => (
                      <li key={deposit.deposit_id}>
                        <DepositRow deposit={deposit} onOpen={() => setOpenId(deposit.deposit_id)} />
                      </li>
                    ))}
                  </ul>
                </section>
              ))}
              <Pager
                hasMore={pages.hasNextPage}
                busy={pages.isFetchingNextPage}
                onMore={() => void pages.fetchNextPage()}
              />
              {opened && <Receipt deposit={opened} onClose={() => setOpenId(null)} />}
            </>
          );
        }}
      </Loaded>
    </>
  );
}

function DepositRow({ deposit, onOpen }: { deposit: Deposit; onOpen(): void }) {
  const { coins, bonus, price, method, created_at } = deposit;
  const { text, tone } = statusOf(deposit.status);
  return (
    <ListRow
      start={<Coins aria-hidden="true" />}
      title={<MoneyText amount={coins + bonus} unit="coins" />}
      detail={m.deposits_detail({ at: formatMoment(created_at), method: methodText(method) })}
      end={
        <>
          <MoneyText amount={price} unit="twd" />
          <StatusChip tone={tone}>{text}</StatusChip>
        </>
      }
      onPress={onOpen}
    />
  );
}

/** Shows all details of one deposit. The user can copy them. */
function Receipt({ deposit, onClose }: { deposit: Deposit; onClose(): void }) {
  const ports = usePorts();
  const { toasts } = useUi();
  const { order_no, price, coins, bonus, method, status, failure, pay_code, invoice, created_at, expires_at } = deposit;
  const facts: readonly (readonly [string, string])[] = [
    [m.deposits_order(), order_no],
    [m.transactions_at(), formatMoment(created_at)],
    [m.deposits_status(), statusOf(status).text],
    ...(failure === null ? [] : [[m.deposits_reason(), failureText(failure)] as const]),
    [m.deposit_method(), methodText(method)],
    ...(pay_code === null || status !== 'pending'
      ? []
      : ([
          [m.deposit_code(), pay_code],
          [m.deposit_until(), formatMoment(expires_at)],
        ] as const)),
    [m.deposits_coins(), m.deposits_coins_of({ coins: formatNumber(coins), bonus: formatNumber(bonus) })],
    [m.deposits_price(), m.money_amount({ amount: formatNumber(price) })],
    ...(invoice === null ? [] : [[m.deposit_invoice(), invoice] as const]),
  ];
  const copy = (): Promise<void> =>
    copyText(
      [m.deposits_receipt(), ...facts.map(([name, value]) => m.deposits_receipt_line({ name, value }))].join('\n'),
      { copied: m.deposits_receipt_copied(), refused: m.deposits_receipt_not_copied() },
      { toasts, logger: ports.logger },
    );
  return (
    <Modal label={m.deposits_receipt()} onClose={onClose}>
      <div className={styles.sheet}>
        <h2>{m.deposits_receipt()}</h2>
        <dl className={styles.facts}>
          {facts.map(([name, value]) => (
            <div key={name} className={styles.fact}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
        <Button onClick={() => void copy()}>
          <Clipboard aria-hidden="true" size={18} />
          {m.deposits_receipt_copy()}
        </Button>
      </div>
    </Modal>
  );
}

/** Groups the deposits by month and keeps their order. */
function byMonth(deposits: readonly Deposit[]): { month: string; items: Deposit[] }[] {
  const groups: { month: string; items: Deposit[] }[] = [];
  for (const deposit of deposits) {
    const month = formatMonth(deposit.created_at);
    const last = groups.at(-1);
    if (last !== undefined && last.month === month) last.items.push(deposit);
    else groups.push({ month, items: [deposit] });
  }
  return groups;
}
