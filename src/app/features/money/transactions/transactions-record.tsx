import { Download, ReceiptText, SearchX } from 'lucide-react';
import { Link, useParams, useSearchParams } from 'react-router-dom';
import { TRANSACTION_TYPES, type TransactionEntry, type TransactionType } from '../../../../protocol/product/wallet.ts';
import { Loaded } from '../../../ui/data/loaded.tsx';
import { formatMoment, formatMonth, wholePoints } from '../../../core/i18n/format.ts';
import { m } from '../../../core/i18n/generated/messages.js';
import { Button } from '../../../../ui/kit/button.tsx';
import { MoneyText } from '../../../ui/money/money-text.tsx';
import { Pager } from '../../../ui/data/pager.tsx';
import { SelectField } from '../../../../ui/kit/select-field.tsx';
import { StateCard } from '../../../../ui/kit/state-card.tsx';
import { type Column, Table } from '../../../../ui/kit/table.tsx';
import { useProductPages } from '../../../core/hooks/use-product.ts';
import { useSession, useTicks } from '../../../core/hooks/areas.ts';
import { homePath } from '../../../core/session/home-path.ts';
import { PageHeader } from '../../shell/page-header.tsx';
import { useStore } from '../../../../ui/store/use-store.ts';
import { saveFile } from '../../../../ui/kit/save-file.ts';
import { giftText, kindText } from './entry-words.ts';
import { daysOf, middleOf, monthsUntil, readMonth } from './months.ts';
import { RowsLoading } from './rows-loading.tsx';
import styles from './transactions.module.css';

const isType = (type: string): type is TransactionType => TRANSACTION_TYPES.some((known) => known === type);

/** Lists the transactions, optionally of one type or one month. The address holds both filters. */
export default function TransactionsRecord() {
  const { type = 'all' } = useParams();
  const { user } = useSession();
  const [search, setSearch] = useSearchParams();
  const month = readMonth(search);
  const setMonth = (chosen: string): void =>
    setSearch(chosen === '' ? {} : { month: chosen }, { replace: true, preventScrollReset: true });
  const { genderType } = useStore(user.user);
  return (
    <>
      <PageHeader title={m.transactions_title()} back={homePath(genderType)} />
      <TypeLinks current={type} month={month} />
      {isType(type) ? (
        <>
          <MonthField month={month} onChange={setMonth} />
          <Entries key={type} type={type} month={month} isMan={genderType === 'man'} />
        </>
      ) : (
        <UnknownType />
      )}
    </>
  );
}

function TypeLinks({ current, month }: { current: string; month: string | null }) {
  return (
    <nav aria-label={m.transactions_types()} className={styles.types}>
      {TRANSACTION_TYPES.map((type) => (
        <Link
          key={type}
          to={{ pathname: `/transactions-record/${type}`, search: month === null ? '' : `month=${month}` }}
          replace
          className={styles.type}
          aria-current={type === current ? 'page' : undefined}
        >
          {kindText(type)}
        </Link>
      ))}
    </nav>
  );
}

function MonthField({ month, onChange }: { month: string | null; onChange(month: string): void }) {
  const { minutes } = useTicks();
  const now = useStore(minutes);
  return (
    <div className={styles.months}>
      <SelectField
        label={m.transactions_month()}
        none={m.transactions_month_all()}
        options={monthsUntil(now, month).map((value) => ({ value, text: formatMonth(middleOf(value)) }))}
        value={month ?? ''}
        onChange={onChange}
      />
    </div>
  );
}

function UnknownType() {
  return (
    <StateCard icon={<SearchX />} title={m.transactions_unknown()} hint={m.transactions_unknown_hint()}>
      <ul className={styles.valid}>
        {TRANSACTION_TYPES.map((type) => (
          <li key={type}>
            <Link to={`/transactions-record/${type}`} replace>
              {kindText(type)}
            </Link>
          </li>
        ))}
      </ul>
    </StateCard>
  );
}

interface EntriesProps {
  type: TransactionType;
  month: string | null;
  isMan: boolean;
}

function Entries({ type, month, isMan }: EntriesProps) {
  const pages = useProductPages('transactions', { query: { type, ...(month !== null && daysOf(month)) } });
  const columns = columnsOf(isMan);
  const save = (entries: readonly TransactionEntry[]) => {
    const head = columns.map(({ title }) => title);
    const rows = entries.map((entry) => [
      formatMoment(entry.at),
      whatOf(entry),
      isMan ? entry.delta : entry.delta / 100,
      isMan ? entry.balance_after : entry.balance_after / 100,
    ]);
    const name = month === null ? type : `${type}-${month}`;
    saveFile(new Blob([csvOf([head, ...rows])], { type: 'text/csv;charset=utf-8' }), `ringback-${name}.csv`);
  };
  return (
    <Loaded
      query={pages}
      skeleton={<RowsLoading />}
      isEmpty={(entries) => entries.length === 0}
      empty={
        <StateCard
          icon={<ReceiptText />}
          title={m.transactions_none()}
          hint={month === null ? m.transactions_none_hint() : m.transactions_month_none_hint()}
        />
      }
    >
      {(entries) => (
        <>
          <div className={styles.tools}>
            <Button onClick={() => save(entries)}>
              <Download aria-hidden="true" size={18} />
              {m.transactions_csv()}
            </Button>
          </div>
          <Table caption={kindText(type)} columns={columns} rows={entries} keyOf={({ id }) => id} />
          <Pager
            hasMore={pages.hasNextPage}
            busy={pages.isFetchingNextPage}
            onMore={() => void pages.fetchNextPage()}
          />
        </>
      )}
    </Loaded>
  );
}

/** Returns the columns, with the amounts in the unit of the signed-in user. */
function columnsOf(isMan: boolean): readonly Column<TransactionEntry>[] {
  const unit = isMan ? 'coins' : 'points';
  const shown = (amount: number) => (isMan ? amount : wholePoints(amount));
  return [
    { key: 'at', title: m.transactions_at(), cell: ({ at }) => formatMoment(at) },
    { key: 'what', title: m.transactions_what(), cell: (entry) => <strong>{whatOf(entry)}</strong> },
    {
      key: 'delta',
      title: m.transactions_delta(),
      isFigure: true,
      cell: ({ delta }) => <MoneyText amount={shown(delta)} unit={unit} signed />,
    },
    {
      key: 'after',
      title: m.transactions_after(),
      isFigure: true,
      cell: ({ balance_after }) => <MoneyText amount={shown(balance_after)} unit={unit} />,
    },
  ];
}

/** Returns a transaction as one line: "Gift: Rose ×3 · Mei". */
function whatOf({ type, gift_id, count, minute, with: other }: TransactionEntry): string {
  const kind =
    gift_id === null ? kindText(type) : m.transactions_gift_of({ gift: giftText(gift_id), count: count ?? 1 });
  const which = minute === null ? kind : m.transactions_minute_of({ kind, minute });
  return other === null ? which : m.transactions_with({ what: which, name: other.nickname });
}

/** Returns a table as a CSV file (RFC 4180) with a UTF-8 byte order mark, so that spreadsheets read it. */
function csvOf(rows: readonly (readonly (string | number)[])[]): string {
  return `\uFEFF${rows.map((row) => row.map(cellOf).join(',')).join('\r\n')}\r\n`;
}

function cellOf(value: string | number): string {
  if (typeof value === 'number') return String(value);
  // A spreadsheet would execute a text that looks like a formula when the user opens the file.
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
