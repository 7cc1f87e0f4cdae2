/** The device of a page that a test opens itself: its way to the exchange, which can be watched and broken. */
import type { FaultOf } from '../../../sim/faults/vocabulary.ts';
import { NotInThisWorld } from '../../../sim/scenario/run/world.ts';
import { DEFAULT_APP_ID } from '../../../sim/server/defaults.ts';
import { type FrontOptions, openFront } from '../../worlds/browser/front.ts';
import { type Gate, openGate } from '../../worlds/real/gate.ts';
import type { RealDevice } from '../../worlds/real/real-device.ts';
import type { BreakableDevice } from '../../worlds/real/real-faults.ts';
import type { PageAddress } from '../kit-messages.ts';

const HOST = '127.0.0.1';

export interface PageDevice {
  readonly address: PageAddress;
  /** Whether a page has sent anything. */
  readonly isUsed: boolean;
  readonly channelGate: Gate;
  readonly httpGate: Gate;
  close(): Promise<void>;
}

interface PageDeviceOptions extends FrontOptions {
  /** Called before the first message of a page. */
  readonly onFirstUse: () => void;
}

export async function openPageDevice(options: PageDeviceOptions): Promise<PageDevice> {
  let isUsed = false;
  const front = await openFront({
    ...options,
    wire: {
      carry(message, way) {
        if (!isUsed) options.onFirstUse();
        isUsed = true;
        options.wire.carry(message, way);
      },
    },
  });
  const [channelGate, httpGate] = await Promise.all([openGate(front.port), openGate(front.port)]);
  return {
    address: {
      appId: DEFAULT_APP_ID,
      apiUrl: `http://${HOST}:${httpGate.port}`,
      wsUrl: `ws://${HOST}:${channelGate.port}`,
    },
    get isUsed() {
      return isUsed;
    },
    channelGate,
    httpGate,
    async close() {
      await Promise.all([channelGate.close(), httpGate.close()]);
      await front.close();
    },
  };
}

type Faulty = Pick<Gate, 'set' | 'reset'>;

const both = (one: Faulty, other: Faulty): Faulty => ({
  set(mode) {
    one.set(mode);
    other.set(mode);
  },
  reset() {
    one.reset();
    other.reset();
  },
});

/** Returns what faults break for a user: the way of the headless device, and that of the page. */
export function breakableBoth(
  name: string,
  { platform, channelGate, httpGate }: RealDevice,
  page: PageDevice,
): BreakableDevice {
  const headless = (kind: FaultOf<'device' | 'page' | 'clock'>['kind']) => {
    if (page.isUsed) throw new NotInThisWorld(`${name} is a page: a fault of kind ${kind} needs a headless user`);
  };
  return {
    channelGate: both(channelGate, page.channelGate),
    httpGate: both(httpGate, page.httpGate),
    platform: {
      devices: {
        fail(what, error) {
          headless('device');
          return platform.devices.fail(what, error);
        },
      },
      page: {
        go(state) {
          headless('page');
          platform.page.go(state);
        },
        goOnline: () => platform.page.goOnline(),
      },
      clock: {
        skewWall(ms) {
          headless('clock');
          platform.clock.skewWall(ms);
        },
      },
    },
  };
}
