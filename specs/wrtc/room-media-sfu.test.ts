/** The contract of the media of rooms, on the engine of the exchange's process. */
import { afterAll, describe, test } from 'vitest';
import { Log } from '../../sim/exchange/logging/log.ts';
import { Sfu } from '../../sim/media/sfu/sfu.ts';
import { nodeClock } from '../../sim/server/node-ports.ts';
import { setPatience } from '../contract/ports/contract.ts';
import { roomMediaContract } from '../contract/room-media/room-media.contract.ts';
import { machineFactor } from '../../tools/run/machine-factor.ts';
import { roomDevices } from './room-devices.ts';

setPatience(machineFactor());
const pass = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

describe('contract of the media of rooms, SFU', () => {
  const engine = new Sfu({
    clock: nodeClock,
    log: new Log((entry) => console.log(entry.message, entry.fields), nodeClock),
  });
  afterAll(() => engine.close());

  for (const { title, run } of roomMediaContract) {
    test(title, () => run({ engine, device: roomDevices(), pass }));
  }
});
