/** The worlds that `--world` names. */
import { both } from './both.ts';
import { browser } from './browser/browser.ts';
import { real, scaled } from './real/real.ts';
import { virtual } from './virtual.ts';
import type { World } from './world.ts';

export const WORLDS = { virtual, real, scaled, both, browser } as const satisfies Readonly<Record<string, World>>;
export type WorldChoice = keyof typeof WORLDS;
