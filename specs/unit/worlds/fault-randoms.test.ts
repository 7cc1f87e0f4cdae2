import { nodeClock } from '../../../sim/server/node-ports.ts';
import { expect, onTestFinished, test } from 'vitest';
import type { Browser } from 'playwright-core';
import { browserWorld } from '../../../cli/worlds/browser/browser-world.ts';
import { realWorld } from '../../../cli/worlds/real/real-world.ts';
import { forGood } from '../../../sim/faults/inject-fault.ts';
import type { ScenarioWorld } from '../../../sim/scenario/run/world.ts';

const EMPTY = { actors: {}, steps: [] };
const SEED = 7;
const signal = new AbortController().signal;

const WORLDS = {
  real: () => realWorld(EMPTY, { seed: SEED, timers: {}, timeScale: 1, exchange: 'here', clock: nodeClock }),
  // Without actors the world opens no page.
  browser: () => browserWorld(EMPTY, { browser: {} as Browser, seed: SEED, timers: {}, signal, clock: nodeClock }),
} satisfies Readonly<Record<string, () => Promise<ScenarioWorld>>>;

/** Returns which of 20 faults with this name and a probability of one half took effect. */
async function effects(world: keyof typeof WORLDS): Promise<readonly boolean[]> {
  const made = await WORLDS[world]();
  onTestFinished(async () => void (await made.close()));
  return Array.from(
    { length: 20 },
    () => made.inject({ kind: 'page', actor: 'alice', state: 'hidden' }, { p: 0.5 }, 'flaky') !== forGood,
  );
}

test.each(['real', 'browser'] as const)(
  'faults with one name have separate random numbers in the %s world',
  async (world) => {
    const drawn = await effects(world);
    expect(new Set(drawn)).toEqual(new Set([true, false]));
  },
);
