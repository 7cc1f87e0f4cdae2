import type { Logger } from '../session/session-ports.ts';
import type { BusyControl } from './call-state.ts';
import type { LibraryCall } from '../library/calling-library.ts';
import type { LineState } from './line-state.ts';

/** The controls of one call. After the end of the call they have no effect. */
export interface LineControls {
  toggleMicrophone(): void;
  toggleCamera(): void;
  switchCamera(): Promise<void>;
  /** Holds the call. Resolves to true when the call is on hold afterwards. */
  hold(): Promise<boolean>;
  resume(): Promise<void>;
  toggleScreenShare(): Promise<void>;
  /** Captures the remote picture as the data URL of a PNG image. A failure is logged and resolves to null. */
  capture(): Promise<string | null>;
}

/**
 * The codes ERR_NOT_SUPPORTED_APP_STATE_FOR_SCREEN_SHARE and ERR_PERMISSION_DENIED_FOR_SCREEN_SHARE. The library
 * reports them when the user chooses no screen, which is no failure. Their catalogue is loaded with the library, after
 * the first picture.
 */
const SHARE_NOT_CHOSEN = new Set([1_800_627, 1_800_628]);

/** Creates the controls of a call of the library. They write their effect to the state of its line. */
export function createLineControls(call: LibraryCall, line: LineState, logger: Logger): LineControls {
  const { shown, update } = line;

  /** Runs an action of a control, and passes its failure on. */
  async function attempt(
    control: BusyControl,
    work: () => Promise<void>,
    failed: (error: unknown) => void,
  ): Promise<void> {
    await line.once(control, () => work().catch(failed));
  }

  const warn = (text: string) => (error: unknown) => logger.warn(text, error);

  return {
    ...createSwitches(call, line),
    async switchCamera() {
      if (shown.get().kind !== 'video') return;
      const work = async (): Promise<void> => {
        await call.switchCamera();
        update(({ facing }) => ({ facing: facing === 'user' ? 'environment' : 'user' }));
      };
      await attempt('switchCamera', work, (error) => logger.error('the camera was not switched', error));
    },
    async hold() {
      if (shown.get().hold.here) return true;
      await attempt('hold', async () => await call.hold(), warn('the call was not held'));
      return shown.get().hold.here;
    },
    async resume() {
      if (!shown.get().hold.here) return;
      await attempt('hold', async () => await call.unhold(), warn('the call was not resumed'));
    },
    async toggleScreenShare() {
      const { kind, sharingScreen } = shown.get();
      if (kind !== 'video') return;
      const work = async (): Promise<void> => {
        if (sharingScreen) return call.stopScreenShare();
        await call.startScreenShare();
        update(() => ({ sharingScreen: true }));
      };
      await attempt('screenShare', work, (error) => {
        if (!wasNotChosen(error)) logger.warn('the screen was not shared', error);
      });
    },
    async capture() {
      const taken = await line.once('capture', async () => {
        try {
          return (await call.captureRemoteVideoView()).data;
        } catch (error) {
          logger.warn('the picture was not captured', error);
          return null;
        }
      });
      return taken ?? null;
    },
  };
}

/** Creates the controls that take effect at once. */
function createSwitches(
  call: LibraryCall,
  { isOver, shown, update }: LineState,
): Pick<LineControls, 'toggleMicrophone' | 'toggleCamera'> {
  return {
    toggleMicrophone() {
      const { microphoneOn, missing } = shown.get();
      if (isOver() || missing.microphone !== undefined) return;
      if (microphoneOn) call.muteMicrophone();
      else call.unmuteMicrophone();
      update(() => ({ microphoneOn: !microphoneOn }));
    },
    toggleCamera() {
      const { kind, cameraOn, missing } = shown.get();
      if (isOver() || kind !== 'video' || missing.camera !== undefined) return;
      if (cameraOn) call.stopVideo();
      else call.startVideo();
      update(() => ({ cameraOn: !cameraOn }));
    },
  };
}

function wasNotChosen(error: unknown): boolean {
  return error instanceof Error && 'code' in error && SHARE_NOT_CHOSEN.has(Number(error.code));
}
