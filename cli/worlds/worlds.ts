/** The worlds of `--world`. Each one is loaded when it is opened, because most runs need one. */
import type { WorldFactory } from './world.ts';

export const WORLDS = {
  /** One event heap and modelled media. A minute takes milliseconds. */
  virtual: {
    name: 'virtual',
    isExact: true,
    open: async (settings) => (await import('./virtual.ts')).openVirtual(settings),
  },
  /** Real sockets and real media, in real time. */
  real: { name: 'real', isExact: false, open: async (settings) => (await import('./real/real.ts')).openReal(settings) },
  /** As the real world, but with faster timers of the library. The times of the engine do not change. */
  scaled: {
    name: 'scaled',
    isExact: false,
    open: async (settings) => (await import('./real/real.ts')).openScaled(settings),
  },
  /** The virtual and the real world: each case runs in both, and must have the same effects. */
  both: { name: 'both', isExact: false, open: async (settings) => (await import('./both.ts')).openBoth(settings) },
  /** The built library in one Chromium for all cases, in real time. */
  browser: {
    name: 'browser',
    isExact: false,
    open: async (settings) => (await import('./browser/browser.ts')).openBrowser(settings),
  },
} as const satisfies Readonly<Record<string, WorldFactory>>;
export type WorldChoice = keyof typeof WORLDS;
