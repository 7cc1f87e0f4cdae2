import type { Timer } from '../../../../common/clock.ts';
import { Inbox, ServerOff } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { Letter } from '../../../../protocol/product/accounts.ts';
import { formatAgo } from '../../../core/i18n/format.ts';
import { m } from '../../../core/i18n/generated/messages.js';
import { Skeleton } from '../../../../ui/kit/skeleton.tsx';
import { StateCard } from '../../../../ui/kit/state-card.tsx';
import { refusalText } from '../../../core/product/refusal-text.ts';
import { usePorts, useProduct, useTicks } from '../../../core/hooks/areas.ts';
import { useStore } from '../../../../ui/store/use-store.ts';
import styles from './letters.module.css';

type State =
  | { readonly kind: 'loading' }
  | { readonly kind: 'ready'; readonly letters: readonly Letter[] }
  | { readonly kind: 'failed'; readonly words: string };

const REREAD_MS = 3_000;

/** Lists the messages that the demo world has delivered, newest first. Reads them again while the list is shown. */
export function Letters({ to }: { to?: string }) {
  const ports = usePorts();
  const { product } = useProduct();
  const { minutes } = useTicks();
  const now = useStore(minutes);
  const [state, setState] = useState<State>({ kind: 'loading' });

  useEffect(() => {
    const reading = new AbortController();
    let next: Timer | undefined;
    async function read(): Promise<void> {
      try {
        const { letters } = await product.ask('demoMailbox', { query: to === undefined ? {} : { to } }, reading.signal);
        setState({ kind: 'ready', letters });
      } catch (error) {
        if (!reading.signal.aborted) setState({ kind: 'failed', words: refusalText(error) });
      }
      if (!reading.signal.aborted) next = ports.clock.after(REREAD_MS, () => void read());
    }
    void read();
    return () => {
      reading.abort();
      next?.cancel();
    };
  }, [product, ports, to]);

  if (state.kind === 'loading') {
    return (
      <div role="status" className={styles.list}>
        <span className="visually-hidden">{m.load_busy()}</span>
        {[0, 1, 2].map((row) => (
          <Skeleton key={row} className={styles.row} />
        ))}
      </div>
    );
  }
  if (state.kind === 'failed') {
    return <StateCard icon={<ServerOff />} title={m.mailbox_failed()} hint={state.words} role="alert" />;
  }
  if (state.letters.length === 0) {
    return <StateCard icon={<Inbox />} title={m.mailbox_empty()} hint={m.mailbox_empty_hint()} />;
  }
  return (
    <ul className={styles.list}>
      {state.letters.map((letter) => (
        <li key={`${letter.to} ${letter.at} ${letter.about}`} className={styles.row}>
          <span className={styles.words}>
            <strong>{aboutText(letter.about)}</strong>
            <small>
              {letter.to} · {formatAgo(letter.at, Math.max(now, letter.at))}
            </small>
          </span>
          {letter.code !== null && <code className={styles.code}>{letter.code}</code>}
        </li>
      ))}
    </ul>
  );
}

function aboutText(about: Letter['about']): string {
  const words: Record<Letter['about'], () => string> = {
    register: m.mailbox_register,
    login: m.mailbox_login,
    reset: m.mailbox_reset,
    contact: m.mailbox_contact,
    confirm: m.mailbox_confirm,
    owner_contact: m.mailbox_owner_contact,
    owner_payout_account: m.mailbox_owner_payout_account,
    owner_password: m.mailbox_owner_password,
    password_changed: m.mailbox_password_changed,
    contact_changed: m.mailbox_contact_changed,
    payout_account_changed: m.mailbox_payout_account_changed,
    account_exists: m.mailbox_account_exists,
  };
  return words[about]();
}
