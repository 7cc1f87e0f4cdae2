import { UserRound } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { formatNumber } from '../../core/i18n/format.ts';
import { m } from '../../core/i18n/generated/messages.js';
import { useSession } from '../../core/hooks/areas.ts';
import { useFrameCounts } from '../../features/shell/frame-counts.ts';
import { useStore } from '../../../ui/store/use-store.ts';
import { Brand } from '../../features/shell/brand.tsx';
import { CoinPill } from '../../features/shell/coin-pill.tsx';
import { ConnectionLine } from '../../features/shell/connection-line.tsx';
import styles from './frame.module.css';
import { MeSheet } from './me-sheet.tsx';
import { isPresent, tabsOf } from './tabs.ts';

/** The kinds of frames around a screen. */
export type FrameLook = 'tabs' | 'inner' | 'none';

interface FrameProps {
  look: FrameLook;
  wide: boolean;
  /** The addresses that have a screen. */
  knownPaths: ReadonlySet<string>;
  children: ReactNode;
}

/**
 * Renders the frame around a screen of a user: tabs at the bottom of a phone, or a rail at the left of wider windows.
 * An inner screen keeps the bottom of a phone for its own actions.
 */
export function Frame({ look, wide, knownPaths, children }: FrameProps) {
  if (look === 'none') return children;
  return (
    <div className={styles.frame} data-look={look}>
      <a href="#content" className={styles.skip}>
        {m.skip_to_content()}
      </a>
      <Navigation knownPaths={knownPaths} />
      <main id="content" tabIndex={-1} className={styles.main} data-wide={wide || undefined}>
        {/* A wide screen shows this banner in a place of its own. */}
        {!wide && <ConnectionLine className={styles.offline} offlineText={m.offline_banner()} />}
        {children}
      </main>
    </div>
  );
}

function Navigation({ knownPaths }: { knownPaths: ReadonlySet<string> }) {
  const counts = useFrameCounts();
  const { user } = useSession();
  const { genderType } = useStore(user.user);
  const { unread } = useStore(counts);
  const { pathname } = useLocation();
  const [showsMe, setShowsMe] = useState(false);

  return (
    <>
      <nav className={styles.nav} aria-label={m.nav_label()}>
        <Brand className={styles.brand} />
        {tabsOf(genderType, knownPaths).map((tab) => (
          <Link
            key={tab.to}
            to={tab.to}
            className={styles.tab}
            aria-current={isPresent(tab, pathname) ? 'page' : undefined}
          >
            <tab.Icon aria-hidden="true" />
            <span>{tab.label()}</span>
            {tab.count === 'unread' && unread !== null && unread > 0 && <UnreadBadge count={unread} />}
          </Link>
        ))}
        <button type="button" className={styles.tab} aria-haspopup="dialog" onClick={() => setShowsMe(true)}>
          <UserRound aria-hidden="true" />
          <span>{m.nav_me()}</span>
        </button>
        <span className={styles.coins}>
          <CoinPill />
        </span>
      </nav>
      {showsMe && <MeSheet onClose={() => setShowsMe(false)} />}
    </>
  );
}

const MOST_SHOWN = 99;

function UnreadBadge({ count }: { count: number }) {
  return (
    <span className={styles.unread}>
      <span aria-hidden="true">
        {count > MOST_SHOWN ? m.nav_unread_many({ most: formatNumber(MOST_SHOWN) }) : formatNumber(count)}
      </span>
      <span className="visually-hidden">{m.nav_unread({ count })}</span>
    </span>
  );
}
