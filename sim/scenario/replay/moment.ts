import { ACTOR_PATHS, SERVER_PATHS } from '../format/paths.ts';
import type { Scenario } from '../format/tree.ts';
import type { ScenarioWorld } from '../run/world.ts';

type Values = Readonly<Record<string, unknown>>;

/** The observable values of a world at one moment. */
export interface Moment {
  /** Milliseconds since the run began. */
  readonly at: number;
  /** The values by device and path, without absent ones. */
  readonly devices: Readonly<Record<string, Values>>;
  readonly server: Values;
  /** When pending timers are due, in milliseconds from now. Absent if the world cannot know. */
  readonly pending?: readonly number[];
}

export function momentOf(world: ScenarioWorld, { actors }: Pick<Scenario, 'actors'>): Moment {
  const devices = devicesOf(actors);
  // `told` lists what each `told.onEnded` counts.
  const paths = Object.keys(ACTOR_PATHS).filter((path) => !path.startsWith('told.'));
  return {
    at: world.now,
    devices: Object.fromEntries(devices.map((name) => [name, valuesOf(world, name, paths)])),
    server: valuesOf(world, 'server', Object.keys(SERVER_PATHS)),
    ...(world.pending ? { pending: world.pending } : {}),
  };
}

/** Returns the name of every device. */
export const devicesOf = (actors: Scenario['actors']): string[] =>
  Object.entries(actors).flatMap(([name, { devices }]) => devices?.map((device) => `${name}.${device}`) ?? [name]);

const valuesOf = (world: ScenarioWorld, owner: string, paths: readonly string[]): Values =>
  Object.fromEntries(
    paths.flatMap((path) => {
      const value = world.read(`${owner}.${path}`);
      return value === undefined ? [] : [[path, value]];
    }),
  );
