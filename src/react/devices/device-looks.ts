import type { CallingLibrary } from '../library/calling-library.ts';
import type { MissingDevices } from '../library/library-values.ts';
import { missingDevices } from '../library/missing-devices.ts';

/** The stream of the user's own microphone and camera. */
export interface SeenDevices {
  /** The stream. It is a new one after a change of a device. */
  readonly stream: MediaStream;
  /** The unavailable devices. The stream has silence or a black picture instead. */
  readonly missing: MissingDevices;
}

/** The opened devices of this user outside of calls. */
export interface DeviceLooks {
  /**
   * Opens the microphone, and the camera if requested, as soon as the library is loaded. Calls the listener then, and
   * after each change of a device.
   *
   * @returns a function that releases the devices.
   */
  look(wanted: { camera: boolean }, listener: (seen: SeenDevices) => void): () => void;
  /** Opens the devices that wait for the library. */
  libraryLoaded(): void;
  /** Releases the opened devices. They open again when the library is loaded again. */
  release(): void;
}

/** Creates the list of opened devices, which is empty. */
export function createDeviceLooks(library: () => Pick<CallingLibrary, 'useMedia'> | undefined): DeviceLooks {
  /** The requests that wait for the library. */
  const waiting = new Set<() => void>();
  /** The functions that release the opened devices. */
  const opened = new Set<() => void>();

  return {
    look({ camera }, listener) {
      let release = (): void => {};
      function open(): void {
        const loaded = library();
        if (loaded === undefined) return;
        waiting.delete(open);
        const access = loaded.useMedia({ audio: true, video: camera });
        const stopListening = access?.on('streamChanged', (stream) =>
          listener({ stream, missing: missingDevices(access.missingDevices) }),
        );
        release = () => {
          if (!opened.delete(release)) return;
          stopListening?.();
          access?.dispose();
          waiting.add(open);
        };
        opened.add(release);
      }
      waiting.add(open);
      open();
      return () => {
        release();
        waiting.delete(open);
      };
    },
    libraryLoaded() {
      for (const open of [...waiting]) open();
    },
    release() {
      for (const release of [...opened]) release();
    },
  };
}
