import { RefreshCw, ServerOff, WifiOff } from 'lucide-react';
import type { ReactNode } from 'react';
import type { UseQueryResult } from '@tanstack/react-query';
import { m } from '../../core/i18n/generated/messages.js';
import { Button } from '../../../ui/kit/button.tsx';
import { StateCard } from '../../../ui/kit/state-card.tsx';
import { refusalText } from '../../core/product/refusal-text.ts';
import { useIsOnline } from '../../core/hooks/areas.ts';

interface LoadedProps<Data> {
  query: Pick<UseQueryResult<Data>, 'data' | 'error' | 'refetch' | 'isFetching'>;
  /** The skeletons, in the exact size of the content. */
  skeleton: ReactNode;
  /** Returns whether the data is empty; `empty` is then shown. Default: data is never empty. */
  isEmpty?(data: Data): boolean;
  empty?: ReactNode;
  /** The level of the failure's heading. Default: 2. */
  level?: 2 | 3;
  children(data: Data): ReactNode;
}

/**
 * Shows the data of a query. Before that it shows skeletons, and without data the empty state or a failure with a
 * retry.
 */
export function Loaded<Data>({ query, skeleton, isEmpty, empty, level = 2, children }: LoadedProps<Data>) {
  const { data, error, isFetching, refetch } = query;
  if (data !== undefined) return isEmpty?.(data) ? empty : children(data);
  if (error !== null)
    return <LoadFailed error={error} busy={isFetching} level={level} onRetry={() => void refetch()} />;
  return (
    <div role="status">
      <span className="visually-hidden">{m.load_busy()}</span>
      {skeleton}
    </div>
  );
}

interface LoadFailedProps {
  error: Error;
  busy: boolean;
  level: 2 | 3;
  onRetry(): void;
}

function LoadFailed({ error, busy, level, onRetry }: LoadFailedProps) {
  const isOnline = useIsOnline();
  return (
    <StateCard
      role="alert"
      level={level}
      icon={isOnline ? <ServerOff /> : <WifiOff />}
      title={isOnline ? m.load_failed() : m.load_offline()}
      hint={isOnline ? refusalText(error) : m.load_offline_hint()}
    >
      <Button look="primary" busy={busy} onClick={onRetry}>
        <RefreshCw aria-hidden="true" />
        {m.retry()}
      </Button>
    </StateCard>
  );
}
