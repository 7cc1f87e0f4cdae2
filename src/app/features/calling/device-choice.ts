import type { Logger } from '../../core/ports/logger.ts';
import { type ReadableStore, createStore } from '../../core/store/store.ts';
import type { MissingDevices } from './call-state.ts';
import type { LibraryDevices } from './calling-library.ts';

export type DeviceKind = 'microphone' | 'speaker' | 'camera';

/** One device to choose. The name is empty until the user has allowed devices of its kind. */
export interface DeviceOption {
  readonly id: string;
  readonly name: string;
}

export interface DeviceList {
  /** The id of the one in use; null where there is none. */
  readonly current: string | null;
  readonly options: readonly DeviceOption[];
}

export type DeviceLists = Readonly<Record<DeviceKind, DeviceList>>;

const NONE: DeviceList = { current: null, options: [] };
const NO_DEVICES: DeviceLists = { microphone: NONE, speaker: NONE, camera: NONE };

/** Which microphones, speakers and cameras there are, and which of them are used. */
export interface DeviceChoice {
  readonly lists: ReadableStore<DeviceLists>;
  /** Reads them anew; the library says when to. */
  look(): void;
  /** A refusal is logged as a warning; the library then goes on with the former device. */
  choose(kind: DeviceKind, id: string): Promise<void>;
  /** Tries again to open what is missing. */
  retry(missing: MissingDevices): Promise<void>;
}

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
      // To the library, choosing the device that is in use already is to open it unless it is open.
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
