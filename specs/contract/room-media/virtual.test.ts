/** The contract of the media of rooms, in virtual time. */
import { afterEach, describe, expect, test } from 'vitest';
import { VirtualRoomMediaEngine } from '../../../sim/virtual/room-media.ts';
import { createWorld, type VirtualNetworkWorld } from '../../../sim/virtual/world.ts';
import { ScriptedExchange } from '../../unit/virtual/scripted-exchange.ts';
import { type RoomMediaSubject, roomMediaContract } from './room-media.contract.ts';

let world: VirtualNetworkWorld<ScriptedExchange> | undefined;

function subject(): RoomMediaSubject {
  const made = createWorld({ seed: 7, exchange: () => new ScriptedExchange() });
  world = made;
  return {
    engine: new VirtualRoomMediaEngine(made.mediaServer('sfu')),
    device(name) {
      const { rtc, devices } = made.platform(name);
      return {
        rtc,
        track: (kind) => (kind === 'audio' ? devices.silence() : devices.blackPicture()),
        arriving: (connection, kind) =>
          rtc.open
            .filter((one) => one === connection)
            .flatMap((one) => one.arriving(kind))
            .map(({ from }) => from),
      };
    },
    pass: (ms) => made.advance(ms),
  };
}

afterEach(() => {
  expect(world?.leftovers()).toEqual([]);
});

describe('contract of the media of rooms, virtual', () => {
  for (const { title, run } of roomMediaContract) test(title, () => run(subject()));
});
