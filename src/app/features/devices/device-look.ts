import type { MissingDevices } from '../../../react/index.ts';
import type { CallingService } from '../calling/calling-service.ts';
import type { DevicePermissions } from '../../core/ports/device-permissions.ts';
import { type ReadableStore, createStore } from '../../../common/store.ts';
import { type Denial, denialOf } from './permission-steps.ts';

/** The state of a test of the devices. */
export interface DeviceLookState {
  /** Null until the devices are open. */
  readonly stream: MediaStream | null;
  readonly missing: MissingDevices;
  readonly denial: Denial | null;
  /** True when no device is open and none will be: the calling service, which opens the devices, did not start. */
  readonly isStuck: boolean;
}

/** A test of the microphone and the camera outside a call. */
export interface DeviceLook {
  readonly state: ReadableStore<DeviceLookState>;
  /** Opens the devices. Returns the function that releases them. */
  watch(): () => void;
  /** Opens the devices again after a change outside the page. Restarts the calling service when it is stuck. */
  again(): void;
}

interface Dependencies {
  calling: Pick<CallingService, 'lookAtDevices' | 'connection' | 'start'>;
  permissions: DevicePermissions;
}

const OPENING: DeviceLookState = { stream: null, missing: {}, denial: null, isStuck: false };

/** Creates a test of the devices. A denied device is opened again as soon as the user permits it. */
export function createDeviceLook({ calling, permissions }: Dependencies, wanted: { camera: boolean }): DeviceLook {
  const state = createStore(OPENING);
  /** Increases with each result, so that a late answer about an earlier one is dropped. */
  let seen = 0;
  let release = (): void => {};

  function open(): void {
    release = calling.lookAtDevices(wanted, ({ stream, missing }) => {
      seen += 1;
      const mine = seen;
      void denialOf(missing, permissions).then((denial) => {
        if (mine === seen) state.set({ stream, missing, denial, isStuck: false });
      });
    });
  }

  function lookForService(): void {
    const connection = calling.connection.get();
    const isDown = connection === 'failed' || connection === 'off';
    state.update((current) => ({ ...current, isStuck: isDown && current.stream === null }));
  }

  function again(): void {
    // The pending request opens the devices once the service has started.
    if (state.get().isStuck) {
      void calling.start();
      return;
    }
    seen += 1;
    release();
    state.set(OPENING);
    open();
  }

  return {
    state,
    again,
    watch() {
      const unfollow = permissions.onChange(() => {
        if (state.get().denial !== null) again();
      });
      open();
      const stopLooking = calling.connection.subscribe(lookForService);
      lookForService();
      return () => {
        seen += 1;
        unfollow();
        stopLooking();
        release();
        state.set(OPENING);
      };
    },
  };
}
