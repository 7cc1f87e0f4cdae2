import { useCallback, useSyncExternalStore } from 'react';
import type { CallStage } from '../calls/call-state.ts';
import { useRingback } from '../ringback-context.ts';
import type { VisitStage } from '../rooms/room-state.ts';

/**
 * Returns how long a call has been connected, or how long this client has been in a room. Whole seconds. The component
 * is rendered again each second until the end. 0 before the connection.
 */
export function useDuration(stage: CallStage | VisitStage): number {
  const { seconds } = useRingback();
  const since = sinceOf(stage);
  const atEnd = 'durationMs' in stage ? stage.durationMs : 0;
  const subscribe = useCallback(
    (listener: () => void) => (since === null ? () => {} : seconds.subscribe(listener)),
    [seconds, since],
  );
  const read = (): number => wholeSeconds(since === null ? atEnd : seconds.get() - since);
  return useSyncExternalStore(subscribe, read, read);
}

function sinceOf(stage: CallStage | VisitStage): number | null {
  if ('connectedAt' in stage) return stage.connectedAt;
  return 'since' in stage ? stage.since : null;
}

const wholeSeconds = (ms: number): number => Math.max(0, Math.floor(ms / 1000));
