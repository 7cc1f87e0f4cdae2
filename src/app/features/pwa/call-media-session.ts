import type { CallingService } from '../calling/calling-service.ts';
import { type ActiveCall, isLive } from '../../../react/index.ts';
import type { ReadableStore } from '../../../common/store.ts';

type Action = 'hangup' | 'togglemicrophone' | 'togglecamera';

/** The part of the browser's media session that a call uses. Some browsers lack its newer members. */
export interface MediaSessionPort {
  metadata: MediaMetadata | null;
  playbackState: MediaSessionPlaybackState;
  setActionHandler(action: Action, handler: (() => void) | null): void;
  setMicrophoneActive?(isActive: boolean): unknown;
  setCameraActive?(isActive: boolean): unknown;
}

interface Dependencies {
  calling: Pick<CallingService, 'state' | 'end' | 'toggleMicrophone' | 'toggleCamera'>;
  session: MediaSessionPort;
  /** Returns the text and the picture of a call. */
  describe(call: ActiveCall): MediaMetadata;
  /** The language of the text. */
  locale: ReadableStore<unknown>;
}

/**
 * Shows a live call on the lock screen and on headsets, whose keys control it. Returns the function that stops this.
 */
export function showCallInMediaSession({ calling, session, describe, locale }: Dependencies): () => void {
  let shown: string | undefined;

  function review(): void {
    const { active } = calling.state.get();
    if (!isLive(active)) {
      if (shown !== undefined) clear();
      return;
    }
    const about = [active.kind, active.party.userId, active.party.nickname, String(locale.get())].join('\n');
    if (about !== shown) {
      shown = about;
      session.metadata = describe(active);
      session.playbackState = 'playing';
      handle('hangup', calling.end);
      handle('togglemicrophone', calling.toggleMicrophone);
      handle('togglecamera', active.kind === 'video' ? calling.toggleCamera : null);
    }
    session.setMicrophoneActive?.(active.microphoneOn);
    session.setCameraActive?.(active.kind === 'video' && active.cameraOn);
  }

  function clear(): void {
    shown = undefined;
    session.metadata = null;
    session.playbackState = 'none';
    for (const action of ['hangup', 'togglemicrophone', 'togglecamera'] as const) handle(action, null);
  }

  /** Sets a handler. A browser throws for an action that it does not support. */
  function handle(action: Action, handler: (() => void) | null): void {
    try {
      session.setActionHandler(action, handler);
    } catch {
      return;
    }
  }

  const unfollow = [calling.state.subscribe(review), locale.subscribe(review)];
  review();
  return () => {
    for (const undo of unfollow) undo();
    if (shown !== undefined) clear();
  };
}
