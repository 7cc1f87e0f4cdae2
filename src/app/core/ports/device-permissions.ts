/** What the browser lets this page do with a device; `unknown` where it does not tell. */
export type DevicePermission = 'granted' | 'prompt' | 'denied' | 'unknown';

export interface DevicePermissions {
  of(device: 'microphone' | 'camera'): Promise<DevicePermission>;
  /** Tells when the user has changed one of them in the browser. Returns the undo. */
  onChange(listener: () => void): () => void;
}

const DEVICES = ['microphone', 'camera'] as const;

/** By the Permissions API, which some browsers do not have, or not for devices. */
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
