import { useEffect, useEffectEvent, useRef } from 'react';
import { m } from '../../core/i18n/generated/messages.js';
import { Button } from '../../../ui/kit/button.tsx';
import styles from '../../../ui/kit/pager.module.css';

interface PagerProps {
  hasMore: boolean;
  busy: boolean;
  onMore(): void;
}

/** Renders the end of a list. It loads more when the user scrolls to it or presses its button. */
export function Pager({ hasMore, busy, onMore }: PagerProps) {
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
          {busy ? m.load_more_busy() : m.load_more()}
        </Button>
      ) : (
        <p>{m.load_all()}</p>
      )}
    </div>
  );
}
