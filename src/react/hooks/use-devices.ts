import { useEffect, useState } from 'react';
import { useStore } from '../../ui/store/use-store.ts';
import type { DeviceKind, DeviceLists } from '../devices/device-choice.ts';
import type { SeenDevices } from '../devices/device-looks.ts';
import { useRingback } from '../ringback-context.ts';

/** The microphones, speakers and cameras, and their choice. */
export interface DevicesView {
  /** The devices of each kind. */
  readonly lists: DeviceLists;
  /** Switches to a device, in a call and without one. A failure is logged, and the previous device stays. */
  choose(kind: DeviceKind, id: string): Promise<void>;
}

/** Returns the devices of this user. Reads them when the component mounts and when the library is connected. */
export function useDevices(): DevicesView {
  const { calls, connection, devices } = useRingback();
  const lists = useStore(devices.lists);
  useEffect(() => {
    devices.look();
    return connection.subscribe(devices.look);
  }, [connection, devices]);
  return { lists, choose: calls.chooseDevice };
}

/**
 * Opens the devices of this user outside of calls while the component is mounted. Closes them when it unmounts.
 *
 * @param wanted - whether the camera is opened too. Null opens nothing.
 * @returns the stream and the unavailable devices. Null until the devices are open.
 */
export function useDevicePreview(wanted: { readonly camera: boolean } | null): SeenDevices | null {
  const { lookAtDevices } = useRingback();
  const [seen, setSeen] = useState<SeenDevices | null>(null);
  const isWanted = wanted !== null;
  const camera = wanted?.camera ?? false;
  useEffect(() => {
    if (!isWanted) return undefined;
    const release = lookAtDevices({ camera }, setSeen);
    return () => {
      release();
      setSeen(null);
    };
  }, [lookAtDevices, isWanted, camera]);
  return seen;
}
