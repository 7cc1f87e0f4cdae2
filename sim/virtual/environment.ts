import type { Environment } from '../../src/calls/platform/environment.ts';

/** Returns the environment of a secure page in a browser with real-time media. Parts of it can be replaced. */
export function virtualEnvironment(otherwise: Partial<Environment> = {}): Environment {
  return {
    hasWindow: true,
    hasRealTimeMedia: true,
    userAgent: 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36',
    location: { protocol: 'https:', hostname: 'virtual.example' },
    ...otherwise,
  };
}
