/** The kinds of random stories, and the end of a story of a kind: it settles, and its invariants are checked. */
import type { Scenario } from '../format/tree.ts';
import type { Aftermath, Violation } from '../invariants/aftermath.ts';
import type { PromiseWorld } from '../invariants/promises.ts';
import { signedInDevices } from '../invariants/story-invariants.ts';
import type { Story } from '../run/story.ts';
import { CALL_MODEL } from './call-model.ts';
import { clusterModel } from './cluster-model.ts';
import type { Model } from './model.ts';
import { ROOM_MODEL, roomClusterModel } from './room-model.ts';

/** The kinds of stories, by the word of `--model` and of `invariants`. */
export const MODELS = { direct: CALL_MODEL, room: ROOM_MODEL } as const satisfies Readonly<Record<string, Model>>;
export type ModelName = keyof typeof MODELS;

const CLUSTER_MODELS: Readonly<Record<ModelName, (nodes: number) => Model>> = {
  direct: clusterModel,
  room: roomClusterModel,
};

/** Returns the stories of a kind, at an exchange with this number of nodes. */
export const modelOf = (name: ModelName, nodes = 1): Model => (nodes > 1 ? CLUSTER_MODELS[name](nodes) : MODELS[name]);

/** What is left when a world is closed. */
type Left = Pick<Aftermath, 'trace' | 'leftovers'>;

/** The check of the invariants of a story, from what is left when its world is closed. */
export type Check = (left: Left) => readonly Violation[];

/** Ends all faults of a story of a kind, and lets it settle. Returns the check of its invariants. */
export async function settleModel(
  model: Model,
  story: Story,
  { actors }: Pick<Scenario, 'actors'>,
  world: PromiseWorld,
): Promise<Check> {
  story.faults.clearAll();
  const devices = signedInDevices({ actors }, world);
  const settled = await model.settle(world, devices);
  const paths = devices.flatMap((device) => model.values.map((what) => `${device}.${what}`));
  const seen = new Map([...paths, ...model.serverValues].map((path) => [path, world.read(path)]));
  const { promises } = world;
  return (left) => [...settled, ...model.check({ ...left, devices, promises, read: (path) => seen.get(path) })];
}
