import { isLive } from '../calling/call-state.ts';
import type { CallingService } from '../calling/calling-service.ts';
import type { DevicePermissions } from '../../core/ports/device-permissions.ts';

interface Dependencies {
  calling: Pick<CallingService, 'state' | 'retryDevices'>;
  permissions: DevicePermissions;
}

/** A call that does without a device because it was denied gets it as soon as the user allows it. Returns the undo. */
export function recoverDevices({ calling, permissions }: Dependencies): () => void {
  return permissions.onChange(() => {
    const { active } = calling.state.get();
    if (isLive(active) && Object.values(active.missing).includes('denied')) void calling.retryDevices();
  });
}
