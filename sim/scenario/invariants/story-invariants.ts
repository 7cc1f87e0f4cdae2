/** The end of any story, and the invariants that hold after it: nothing hangs, still sounds or is left over. */
import type { Scenario } from '../format/tree.ts';
import { deviceNames } from '../format/read-scenario.ts';
import type { Story } from '../run/story.ts';
import type { ScenarioWorld } from '../run/world.ts';
import { type Aftermath, firstOf, type Invariant } from './aftermath.ts';

/** After this time every limit of a call and of a room is over. Milliseconds. */
const AFTERWARDS_MS = 200_000;
/** The time in which a call ends on both sides, and an invitation without an answer. Milliseconds. */
const PARTING_MS = 70_000;
/** The most calls that a device can have at the end. */
const MOST_CALLS = 4;

export const STORY_INVARIANTS = {
  /** No sound loops when everything is over. */
  I2: (after) =>
    firstOf(after, (device) =>
      after.read(`${device}.sound`) === 'none' ? undefined : `${String(after.read(`${device}.sound`))} still sounds`,
    ),
  /** Every promise settles. Its limit depends on the timers of the scenario. */
  I5: ({ promises }) => {
    const open = promises.find(({ settledMs }) => settledMs === undefined);
    return open && `${open.device}: ${open.action} never settled`;
  },
  /** The exchange has no call left. */
  I22: (after) =>
    after.read('server.calls') === 0 ? undefined : `the exchange has ${String(after.read('server.calls'))} calls`,
} as const satisfies Readonly<Record<string, Invariant>>;

/** Returns the devices of a scenario whose users are signed in. */
export const signedInDevices = ({ actors }: Pick<Scenario, 'actors'>, world: Pick<ScenarioWorld, 'read'>): string[] =>
  deviceNames(actors).filter((name) => world.read(`${name}.user`) !== undefined);

/**
 * Ends all faults, lets every limit pass, ends the calls, and leaves the rooms.
 *
 * @throws StepFailure when a `never` happens meanwhile.
 */
export async function endStory(story: Story, devices: readonly string[]): Promise<void> {
  const { world } = story;
  story.faults.clearAll();
  // An action that is impossible by now is no failure.
  const act = (device: string, action: string) => {
    void (async () => world.act(device, action, {}))().catch(() => undefined);
  };
  await story.until(() => false, AFTERWARDS_MS);
  for (let calls = 0; calls < MOST_CALLS; calls += 1) {
    const live = devices.filter((device) => world.read(`${device}.calls`) !== 0);
    for (const device of live) act(device, 'end');
    if (live.length > 0) await story.until(() => false, PARTING_MS);
    for (const device of live) if (world.read(`${device}.calls`) !== 0) act(device, 'former');
  }
  for (const device of devices) if (world.read(`${device}.room.entered`) === true) act(device, 'exit');
  await story.until(() => false, PARTING_MS);
}

/** Returns the reader of the values that the invariants need. A world that is closed has no values. */
export function valuesAfter(world: Pick<ScenarioWorld, 'read'>, devices: readonly string[]): Aftermath['read'] {
  const paths = [...devices.map((device) => `${device}.sound`), 'server.calls'];
  const seen = new Map(paths.map((path) => [path, world.read(path)]));
  return (path) => seen.get(path);
}
