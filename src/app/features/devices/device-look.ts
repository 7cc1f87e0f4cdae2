import type { MissingDevices } from '../calling/call-state.ts';
import type { CallingService } from '../calling/calling-service.ts';
import type { DevicePermissions } from '../../core/ports/device-permissions.ts';
import { type ReadableStore, createStore } from '../../core/store/store.ts';
import { type Denial, denialOf } from './denial.ts';

export interface DeviceLookState {
  /** Null until the devices are open. */
  readonly stream: MediaStream | null;
  readonly missing: MissingDevices;
  readonly denial: Denial | null;
  /** Nothing is open, and nothing is about to be: the calling service, which opens the devices, did not start. */
  readonly isStuck: boolean;
}

/** A look at the own microphone and camera, with nobody on the other side. */
export interface DeviceLook {
  readonly state: ReadableStore<DeviceLookState>;
  /** Opens them; the undo lets them go. */
  watch(): () => void;
  /** Opens them anew, after something was changed outside; where it is stuck, the calling service starts anew. */
  again(): void;
}

interface Dependencies {
  calling: Pick<CallingService, 'lookAtDevices' | 'connection' | 'start'>;
  permissions: DevicePermissions;
}

const OPENING: DeviceLookState = { stream: null, missing: {}, denial: null, isStuck: false };

/** Where a device was denied, they are opened again by themselves as soon as the user allows it. */
export function createDeviceLook({ calling, permissions }: Dependencies, wanted: { camera: boolean }): DeviceLook {
  const state = createStore(OPENING);
  /** Goes up with everything that is seen, so that a late answer about what was seen before is recognised. */
  let seen = 0;
  let letGo = (): void => {};

  function open(): void {
    letGo = calling.lookAtDevices(wanted, ({ stream, missing }) => {
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
    // What waits for the service is told when it is there.
    if (state.get().isStuck) {
      void calling.start();
      return;
    }
    seen += 1;
    letGo();
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
        letGo();
        state.set(OPENING);
      };
    },
  };
}
