/** The claims of rooms by one node, with a shared state that a test answers. */
import { expect, it } from 'vitest';
import { SharedRooms, type SharedRoomsParts } from '../../../sim/cluster/shared-rooms.ts';
import { HandClock } from '../support/hand-clock.ts';

it('a command for a room of a dead node waits until the room has its participants again', async () => {
  let goOn = (): void => undefined;
  const continued = new Promise<void>((resolve) => (goOn = resolve));
  let fields = new Map([
    ['owner', 'dead'],
    ['people', '{}'],
  ]);
  const no = () => () => undefined;
  const parts = {
    link: {
      node: 'here',
      isSure: true,
      isAlive: () => false,
      onLost: no,
      state: {
        onReachable: no,
        fields: async () => fields,
        async changeFields(_: string, { set }: { set: Record<string, string> }) {
          fields = new Map([...fields, ...Object.entries(set)]);
          return true;
        },
      },
    },
    clock: new HandClock(),
    log: { warn: () => undefined },
    owned: { set: () => undefined, elsewhere: () => new Map() },
    isUsed: () => true,
    kept: () => null,
    continueRoom: () => continued,
    isDead: async () => true,
    letGo: () => undefined,
    claimant: () => null,
    exists: async () => true,
  };
  // The parts have what a claim uses.
  const rooms = new SharedRooms(parts as unknown as SharedRoomsParts);
  const answered: string[] = [];
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  const first = rooms.ownerOf('room').then((node) => answered.push(`first ${node}`));
  await turn();
  const second = rooms.ownerOf('room').then((node) => answered.push(`second ${node}`));
  await turn();
  expect(answered).toEqual([]);
  goOn();
  await Promise.all([first, second]);
  expect(answered.toSorted()).toEqual(['first here', 'second here']);
  expect(await rooms.ownerOf('room')).toBe('here');
  rooms.dispose();
});
