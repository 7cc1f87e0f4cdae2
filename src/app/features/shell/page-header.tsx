import { ArrowLeft } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link, useLocation, useNavigate } from 'react-router-dom';
import { m } from '../../core/i18n/generated/messages.js';
import { CoinPill } from './coin-pill.tsx';
import styles from './page-header.module.css';

interface PageHeaderProps {
  title: string;
  /** One line below the title. Default: none. */
  lede?: string;
  /** The target of the back button without an earlier page of the app. Default: no button. */
  back?: string;
  /** The buttons at the end of the line. Default: none. */
  actions?: ReactNode;
}

/** Renders the header of a screen: its only `<h1>`, its back button and its actions. */
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

/** Goes back to the previous page of the app. Without one, goes to the screen above. */
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
