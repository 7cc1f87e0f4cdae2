import { isLive } from '../../../react/index.ts';
import type { CallingService } from '../calling/calling-service.ts';
import type { DevicePermissions } from '../../core/ports/device-permissions.ts';

interface Dependencies {
  calling: Pick<CallingService, 'state' | 'retryDevices'>;
  permissions: DevicePermissions;
}

/** Opens a denied device of the current call as soon as the user permits it. Returns the function that stops this. */
export function recoverDevices({ calling, permissions }: Dependencies): () => void {
  return permissions.onChange(() => {
    const { active } = calling.state.get();
    if (isLive(active) && Object.values(active.missing).includes('denied')) void calling.retryDevices();
  });
}
