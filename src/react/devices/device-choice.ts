import type { Logger } from '../session/session-ports.ts';
import { type ReadableStore, createStore } from '../../common/store.ts';
import type { LibraryDevices } from '../library/calling-library.ts';
import type { MissingDevices } from '../library/library-values.ts';

/** A kind of device. */
export type DeviceKind = 'microphone' | 'speaker' | 'camera';

/** A device that the user can choose. The name is empty until the user has permitted devices of its kind. */
export interface DeviceOption {
  /** The id of the device in the browser. */
  readonly id: string;
  /** The name of the device. */
  readonly name: string;
}

/** The devices of one kind. */
export interface DeviceList {
  /** The id of the device in use. Null without a device. */
  readonly current: string | null;
  /** The available devices. */
  readonly options: readonly DeviceOption[];
}

/** The devices of each kind. */
export type DeviceLists = Readonly<Record<DeviceKind, DeviceList>>;

const NONE: DeviceList = { current: null, options: [] };
const NO_DEVICES: DeviceLists = { microphone: NONE, speaker: NONE, camera: NONE };

/** The available microphones, speakers and cameras, and the ones in use. */
export interface DeviceChoice {
  /** The lists, as of the last look or report. */
  readonly lists: ReadableStore<DeviceLists>;
  /** Reads the lists again. The library reports when they change. */
  look(): void;
  /** Switches to a device. A failure is logged as a warning, and the library keeps the previous device. */
  choose(kind: DeviceKind, id: string): Promise<void>;
  /** Tries again to open the unavailable devices. */
  retry(missing: MissingDevices): Promise<void>;
}

/** Creates the choice of devices. The lists are empty before the first look. */
export function createDeviceChoice(library: () => LibraryDevices | undefined, logger: Logger): DeviceChoice {
  const lists = createStore(NO_DEVICES);

  function look(): void {
    const devices = library();
    if (devices === undefined) return;
    lists.set({
      microphone: listOf(devices.getAvailableAudioInputDevices(), devices.getCurrentAudioInputDevice()),
      speaker: listOf(devices.getAvailableAudioOutputDevices(), devices.getCurrentAudioOutputDevice()),
      camera: listOf(devices.getAvailableVideoInputDevices(), devices.getCurrentVideoInputDevice()),
    });
  }

  async function choose(kind: DeviceKind, id: string): Promise<void> {
    const devices = library();
    if (devices === undefined) return;
    try {
      await select(devices, kind, id);
    } catch (error) {
      logger.warn(`the ${kind} was not changed`, error);
    }
    look();
  }

  return {
    lists,
    look,
    choose,
    async retry(missing) {
      const devices = library();
      if (devices === undefined) return;
      devices.updateMediaDevices({ audio: true, video: true });
      // The library opens a closed device when the app chooses the device in use.
      if (missing.microphone !== undefined) {
        await choose('microphone', devices.getCurrentAudioInputDevice()?.deviceId ?? '');
      }
      if (missing.camera !== undefined) await choose('camera', devices.getCurrentVideoInputDevice()?.deviceId ?? '');
    },
  };
}

async function select(devices: LibraryDevices, kind: DeviceKind, id: string): Promise<void> {
  switch (kind) {
    case 'microphone': {
      const device = byId(devices.getAvailableAudioInputDevices(), id);
      if (device !== undefined) await devices.selectAudioInputDevice(device);
      return;
    }
    case 'speaker': {
      const device = byId(devices.getAvailableAudioOutputDevices(), id);
      if (device !== undefined) await devices.selectAudioOutputDevice(device);
      return;
    }
    case 'camera': {
      const device = byId(devices.getAvailableVideoInputDevices(), id);
      if (device !== undefined) await devices.selectVideoInputDevice(device);
      return;
    }
    default:
      kind satisfies never;
  }
}

function byId<Device extends MediaDeviceInfo>(devices: readonly Device[], id: string): Device | undefined {
  return devices.find(({ deviceId }) => deviceId === id);
}

function listOf(available: readonly MediaDeviceInfo[], current: MediaDeviceInfo | null): DeviceList {
  return {
    current: current?.deviceId ?? null,
    options: available.map(({ deviceId, label }) => ({ id: deviceId, name: label })),
  };
}
