/** Stories of one room with two to four users. */
import { faultText } from '../../faults/vocabulary.ts';
import { ROOM_TIMES, TIMES } from '../../../src/protocol/limits.ts';
import type { ScenarioWorld } from '../run/world.ts';
import { violationsOf, type Violation } from '../invariants/aftermath.ts';
import { drawRoom } from './draw-room.ts';
import type { Model } from './model.ts';
import { ROOM_CLUSTER_INVARIANTS, ROOM_INVARIANTS } from './room-invariants.ts';

/**
 * After this time every limit of a room is over: requests, the silence of a participant, reconnections, and two
 * keep-alives. Milliseconds.
 */
const AFTERWARDS_MS = 2 * TIMES.requestTimeoutMs + 10_000;
/** The longest time until a dead participant is gone (I17): its silence, and a margin for the last message. */
const DEAD_MS = 45_000;
/** The time in which every participant leaves at the end, and the exchange cancels the last invitation. */
const PARTING_MS = 10_000 + ROOM_TIMES.invitationMs;

export const ROOM_MODEL: Model = {
  draw: (seed) => drawRoom(seed),
  values: [],
  serverValues: ['server.rooms'],
  async settle(world, devices) {
    await world.until(() => false, AFTERWARDS_MS);
    const broken = [notConverged(world, devices), await stillThere(world, devices)];
    for (const device of inside(world, devices)) void world.act(device, 'exit', {});
    await world.until(() => false, PARTING_MS);
    return broken.flatMap((message): Violation[] => (message === undefined ? [] : [{ id: 'I17', message }]));
  },
  check: (after) => violationsOf(after, ROOM_INVARIANTS),
};

/** Returns the stories of an exchange with this number of nodes. */
export const roomClusterModel = (nodes: number): Model => ({
  ...ROOM_MODEL,
  draw: (seed) => drawRoom(seed, nodes),
  check: (after) => violationsOf(after, { ...ROOM_INVARIANTS, ...ROOM_CLUSTER_INVARIANTS }),
});

/** The devices that take themselves for participants. */
const inside = (world: ScenarioWorld, devices: readonly string[]): string[] =>
  devices.filter((device) => world.read(`${device}.room.entered`) === true);

const listAt = (world: ScenarioWorld, path: string): string[] => (world.read(path) as string[] | undefined) ?? [];

/** All participants see the same ones as the exchange, and each of them has media. */
function notConverged(world: ScenarioWorld, devices: readonly string[]): string | undefined {
  const participants = listAt(world, 'server.participants');
  const members = inside(world, devices);
  const userIds = members.map((device) => device.split('.')[0] ?? '');
  if (String(userIds.toSorted()) !== String(participants.toSorted()))
    return `the exchange has ${shown(participants)}, and the devices in the room are ${shown(members)}`;
  if (world.read('server.connected') !== participants.length)
    return `${String(world.read('server.connected'))} of ${participants.length} participants have media`;
  for (const device of members) {
    const seen = listAt(world, `${device}.room.participants`);
    if (String(seen) !== String(participants))
      return `${device} sees ${shown(seen)}, and the exchange has ${shown(participants)}`;
    const items = JSON.stringify(world.read(`${device}.room.items`));
    if (items !== JSON.stringify(world.read(`${members[0] ?? device}.room.items`)))
      return `${device} has the items ${items}, and ${String(members[0])} has others`;
    if (world.read(`${device}.room.connected`) !== participants.length)
      return `${device} sees media of ${String(world.read(`${device}.room.connected`))} of ${participants.length}`;
  }
  return undefined;
}

/** A device that dies is gone from every list in time. It learns that when it lives again. */
async function stillThere(world: ScenarioWorld, devices: readonly string[]): Promise<string | undefined> {
  const [dead, ...others] = inside(world, devices);
  if (dead === undefined) return undefined;
  const user = dead.split('.')[0] ?? '';
  const isListed = (path: string, before: number) => listAt(world, path).filter((one) => one === user).length >= before;
  const before = listAt(world, 'server.participants').filter((one) => one === user).length;
  const death = { kind: 'sleep', actor: dead } as const;
  world.note({ kind: 'fault', what: faultText(death), on: true });
  const mend = world.inject(death, {}, 'death');
  await world.until(() => false, DEAD_MS);
  const still = ['server.participants', ...others.map((device) => `${device}.room.participants`)].filter((path) =>
    isListed(path, before),
  );
  mend();
  world.note({ kind: 'fault', what: faultText(death), on: false });
  await world.until(() => false, AFTERWARDS_MS);
  if (still.length > 0) return `${dead} died, and was still in ${still.join(', ')} ${DEAD_MS} ms later`;
  return inside(world, [dead]).length > 0 ? `${dead} was removed, and still takes itself for a participant` : undefined;
}

const shown = (names: readonly string[]): string => names.join(', ') || 'nobody';
