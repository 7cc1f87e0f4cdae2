import { ChevronDown, Ellipsis } from 'lucide-react';
import type { ReactNode, RefObject } from 'react';
import { m } from '../../../../../core/i18n/generated/messages.js';
import type { CallViewModel } from '../call-view-model.ts';
import { QualityChip } from './quality-chip.tsx';
import { Timer } from './timer.tsx';
import styles from './top-bar.module.css';

interface TopBarProps {
  view: CallViewModel;
  /** The cost or income of the call. */
  billing: ReactNode;
  isMoreOpen: boolean;
  moreButton: RefObject<HTMLButtonElement | null>;
  onDock(): void;
  onMore(): void;
}

/**
 * Renders the bar above the stage: the dock button, the name, the duration, the quality, the cost and the overflow
 * button.
 */
export function TopBar({ view, billing, isMoreOpen, moreButton, onDock, onMore }: TopBarProps) {
  return (
    <header className={styles.bar} data-fades>
      <button type="button" className={styles.round} aria-label={m.call_dock()} title={m.call_dock()} onClick={onDock}>
        <ChevronDown aria-hidden="true" />
      </button>
      <div className={styles.middle}>
        {view.showsRemoteVideo && (
          <p className={styles.who}>
            <strong>{view.name}</strong>
            <Timer phase={view.phase} />
          </p>
        )}
        {(view.quality !== null || billing !== null) && (
          <p className={styles.chips}>
            {view.quality !== null && <QualityChip {...view.quality} />}
            {billing}
          </p>
        )}
      </div>
      <button
        ref={moreButton}
        type="button"
        className={styles.round}
        aria-label={m.call_more()}
        title={m.call_more()}
        aria-haspopup="dialog"
        aria-expanded={isMoreOpen}
        onClick={onMore}
      >
        <Ellipsis aria-hidden="true" />
      </button>
    </header>
  );
}
