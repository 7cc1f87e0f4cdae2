import { ArrowLeft } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link, useLocation, useNavigate } from 'react-router-dom';
import { m } from '../../core/i18n/generated/messages.js';
import { CoinPill } from './coin-pill.tsx';
import styles from './page-header.module.css';

interface PageHeaderProps {
  title: string;
  /** One line below the title. */
  lede?: string;
  /** Where the back button leads when nothing was seen before; without it there is no button. */
  back?: string;
  /** Buttons at the right. */
  actions?: ReactNode;
}

/** The head of a screen: its only `<h1>`, the way back from an inner screen, and what can be done with all of it. */
export function PageHeader({ title, lede, back, actions }: PageHeaderProps) {
  return (
    <header className={styles.header} data-inner={back !== undefined || undefined}>
      {back !== undefined && <BackLink to={back} />}
      <div className={styles.words}>
        <h1>{title}</h1>
        {lede !== undefined && <p>{lede}</p>}
      </div>
      {actions !== undefined && <div className={styles.actions}>{actions}</div>}
      {back === undefined && (
        <span className={styles.coins}>
          <CoinPill />
        </span>
      )}
    </header>
  );
}

/** Goes to where one came from, as the browser's own button would; from outside, to the screen above. */
function BackLink({ to }: { to: string }) {
  const { key } = useLocation();
  const navigate = useNavigate();
  const cameFromHere = key !== 'default';
  return (
    <Link
      to={to}
      className={styles.back}
      aria-label={m.go_back()}
      onClick={(event) => {
        if (!cameFromHere || event.metaKey || event.ctrlKey || event.shiftKey) return;
        event.preventDefault();
        void navigate(-1);
      }}
    >
      <ArrowLeft aria-hidden="true" />
    </Link>
  );
}
