import type { Environment } from '../../src/calls/platform/environment.ts';

/** A secure page in a browser that can do real-time media; parts of it can be otherwise. */
export function virtualEnvironment(otherwise: Partial<Environment> = {}): Environment {
  return {
    hasWindow: true,
    hasRealTimeMedia: true,
    userAgent: 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36',
    location: { protocol: 'https:', hostname: 'virtual.example' },
    ...otherwise,
  };
}
