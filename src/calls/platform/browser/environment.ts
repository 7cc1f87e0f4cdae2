import type { Environment } from '../environment.ts';

/**
 * Returns the environment of the browser. Each property is read at access, so that the library can be imported without
 * a browser.
 */
export function browserEnvironment(): Environment {
  return {
    get hasWindow() {
      return typeof window !== 'undefined';
    },
    get hasRealTimeMedia() {
      return typeof RTCPeerConnection !== 'undefined';
    },
    get userAgent() {
      return typeof navigator === 'undefined' ? '' : navigator.userAgent;
    },
    get location() {
      if (typeof location === 'undefined') return null;
      const { protocol, hostname } = location;
      return { protocol, hostname };
    },
  };
}
