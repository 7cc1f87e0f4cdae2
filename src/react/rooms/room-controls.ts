import type { Store } from '../../common/store.ts';
import type { Logger } from '../session/session-ports.ts';
import type { LibraryRoom } from '../library/room-library.ts';
import { type VisitState, hasVideo, withNews } from './room-state.ts';

/** The controls of a stay. Outside of the room they have no effect. */
export interface RoomControls {
  /** Mutes the microphone, or sends it again. */
  toggleMicrophone(): void;
  /** Stops the video, or sends it again. */
  toggleCamera(): void;
  /** Shares the screen, or stops this. A failure is logged, and is news. */
  toggleScreenShare(): Promise<void>;
  /** Deletes the room for all participants. */
  deleteRoom(): Promise<void>;
  /** Invites a user. Resolves to whether the exchange accepted it. */
  invite(userId: string): Promise<boolean>;
}

/** The codes of a share that the user did not choose or permit. They are no failures. */
const SHARE_NOT_CHOSEN: ReadonlySet<unknown> = new Set([1_800_627, 1_800_628]);

/** Creates the controls of a stay. They write their effect to the state of the visit. */
export function createRoomControls(
  room: () => LibraryRoom | undefined,
  state: Store<VisitState>,
  logger: Logger,
): RoomControls {
  const me = () => (state.get().stage.name === 'inside' ? room()?.localParticipant : undefined);

  /** Runs one action at a time. */
  async function once(action: 'share' | 'delete', work: () => Promise<void>): Promise<void> {
    if (state.get().busy.includes(action)) return;
    state.update((now) => ({ ...now, busy: [...now.busy, action] }));
    try {
      await work();
    } finally {
      state.update((now) => ({ ...now, busy: now.busy.filter((other) => other !== action) }));
    }
  }

  async function share(): Promise<void> {
    const local = me();
    try {
      if (local?.isScreenShareEnabled === true) local.stopScreenShare();
      else await local?.startScreenShare();
      state.update((now) => ({ ...now, sharingScreen: me()?.isScreenShareEnabled ?? false }));
    } catch (error) {
      if (SHARE_NOT_CHOSEN.has(error instanceof Error && 'code' in error ? error.code : undefined)) return;
      logger.warn('the screen was not shared in the room', error);
      state.update((now) => withNews(now, 'shareFailed'));
    }
  }

  return {
    toggleMicrophone() {
      const { microphoneOn, missing } = state.get();
      const local = me();
      if (local === undefined || missing.microphone !== undefined) return;
      if (microphoneOn) local.muteMicrophone();
      else local.unmuteMicrophone();
      state.update((now) => ({ ...now, microphoneOn: !microphoneOn }));
    },
    toggleCamera() {
      const { cameraOn, missing, facts } = state.get();
      const local = me();
      if (local === undefined || missing.camera !== undefined || facts === null || !hasVideo(facts.type)) return;
      if (cameraOn) local.stopVideo();
      else local.startVideo();
      state.update((now) => ({ ...now, cameraOn: !cameraOn }));
    },
    toggleScreenShare: () => once('share', share),
    deleteRoom: () =>
      once('delete', async () => {
        try {
          await room()?.delete();
        } catch (error) {
          logger.warn('the room was not deleted', error);
          state.update((now) => withNews(now, 'deleteFailed'));
        }
      }),
    async invite(userId) {
      try {
        await room()?.sendInvitation(userId);
        return true;
      } catch (error) {
        logger.warn('the invitation was not sent', error);
        return false;
      }
    },
  };
}
