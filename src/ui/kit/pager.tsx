import { useEffect, useEffectEvent, useRef } from 'react';
import { Button } from './button.tsx';
import styles from './pager.module.css';

/** The props of the end of a list. */
export interface PagerProps {
  hasMore: boolean;
  busy: boolean;
  /** The label of the button, also while more is loading, and the text after the last item. */
  moreLabel: string;
  busyLabel: string;
  allText: string;
  onMore(): void;
}

/** Renders the end of a list. It loads more when the user scrolls to it or presses its button. */
export function Pager({ hasMore, busy, moreLabel, busyLabel, allText, onMore }: PagerProps) {
  const end = useRef<HTMLDivElement>(null);
  const more = useEffectEvent(() => {
    if (hasMore && !busy) onMore();
  });
  useEffect(() => {
    if (end.current === null || !hasMore || busy) return undefined;
    const watcher = new IntersectionObserver(([entry]) => entry?.isIntersecting && more(), { rootMargin: '400px' });
    watcher.observe(end.current);
    return () => watcher.disconnect();
  }, [hasMore, busy]);

  return (
    <div ref={end} className={styles.end}>
      {hasMore ? (
        <Button busy={busy} onClick={onMore}>
          {busy ? busyLabel : moreLabel}
        </Button>
      ) : (
        <p>{allText}</p>
      )}
    </div>
  );
}
