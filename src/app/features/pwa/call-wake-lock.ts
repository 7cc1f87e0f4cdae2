import type { CallKind, CallsState } from '../../../react/index.ts';
import type { Logger } from '../../core/ports/ports.ts';
import type { ReadableStore } from '../../../common/store.ts';

/** The part of the browser's screen wake lock that a call uses. */
export interface WakeLockPort {
  request(type: 'screen'): Promise<Pick<WakeLockSentinel, 'released' | 'release'>>;
}

interface Dependencies {
  calls: ReadableStore<CallsState>;
  /** The kind of the room that the user is in. */
  stay: ReadableStore<CallKind | null>;
  wakeLock: WakeLockPort;
  page: Pick<Document, 'visibilityState' | 'addEventListener' | 'removeEventListener'>;
  logger: Logger;
}

/**
 * Keeps the screen on during a video call, and in a room with video. The browser releases the lock of a hidden page. Returns the function that
 * stops this.
 */
export function keepScreenOn({ calls, stay, wakeLock, page, logger }: Dependencies): () => void {
  let lock: Awaited<ReturnType<WakeLockPort['request']>> | undefined;
  let isAsking = false;

  const isWanted = (): boolean => {
    const { active } = calls.get();
    const isSeen = active?.stage.name === 'connected' || active?.stage.name === 'reconnecting';
    return stay.get() === 'video' || (isSeen && active.kind === 'video');
  };

  function review(): void {
    if (!isWanted()) release();
    else if (page.visibilityState === 'visible' && (lock === undefined || lock.released)) void hold();
  }

  async function hold(): Promise<void> {
    if (isAsking) return;
    isAsking = true;
    try {
      lock = await wakeLock.request('screen');
    } catch (error) {
      logger.info('the wake lock was refused: the screen may turn off during the call', error);
    } finally {
      isAsking = false;
    }
    if (!isWanted()) release();
  }

  function release(): void {
    const held = lock;
    lock = undefined;
    held?.release().catch((error: unknown) => logger.warn('the wake lock was not released', error));
  }

  const unfollow = [calls.subscribe(review), stay.subscribe(review)];
  page.addEventListener('visibilitychange', review);
  return () => {
    for (const undo of unfollow) undo();
    page.removeEventListener('visibilitychange', review);
    release();
  };
}
