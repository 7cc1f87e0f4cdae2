/** A permission of this page for a device. `unknown` when the browser does not report it. */
export type DevicePermission = 'granted' | 'prompt' | 'denied' | 'unknown';

/** The permissions of this page for the microphone and the camera. */
export interface DevicePermissions {
  of(device: 'microphone' | 'camera'): Promise<DevicePermission>;
  /**
   * Calls the listener when the user changes a permission in the browser. Returns the function that unsubscribes it.
   */
  onChange(listener: () => void): () => void;
}

const DEVICES = ['microphone', 'camera'] as const;

/** Reads permissions by the Permissions API. Some browsers do not have it, or not for devices. */
export function browserDevicePermissions(browser: Pick<Navigator, 'permissions'>): DevicePermissions {
  const query = async (name: (typeof DEVICES)[number]): Promise<PermissionStatus | null> => {
    try {
      return await browser.permissions.query({ name });
    } catch {
      return null;
    }
  };
  return {
    of: async (device) => (await query(device))?.state ?? 'unknown',
    onChange(listener) {
      const gone = new AbortController();
      for (const device of DEVICES) {
        void query(device).then((status) => status?.addEventListener('change', listener, { signal: gone.signal }));
      }
      return () => gone.abort();
    },
  };
}
