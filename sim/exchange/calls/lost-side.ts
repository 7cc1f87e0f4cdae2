import { TIMES } from '../../../src/protocol/limits.ts';
import { acceptedLeg, type Call, type Leg } from './call.ts';
import type { Devices } from '../directory/devices.ts';
import type { Side } from './outcomes.ts';
import type { Clock } from '../ports.ts';

/** A leg says that it is alive every 30 s (§9); one that is silent for longer, and a little, is not heard of. Milliseconds. */
const SILENT_MS = TIMES.aliveIntervalMs + 2_000;

/**
 * The side whose connection is gone, by what the exchange observes: a device without a socket, or one that is silent. `both`
 * where they went together; `exchange` where a side has not come back since the exchange started. Null where both are there.
 */
export type LostSide = Side | 'both' | 'exchange' | null;

interface Observed {
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly devices: Pick<Devices, 'link'>;
}

/** Returns the side whose connection is gone; of two the one that fell silent first, where it did so a whole interval earlier. */
export function lostSide({ clock, devices }: Observed, call: Call): LostSide {
  const { caller } = call;
  const callee = acceptedLeg(call);
  if (callee === null) return null;
  if (caller.lost !== null || callee.lost !== null) return 'exchange';
  const isGone = ({ device, lastHeardAt }: Leg) =>
    devices.link(device) === undefined || clock.monotonic() - lastHeardAt > SILENT_MS;
  const [isCallerGone, isCalleeGone] = [isGone(caller), isGone(callee)];
  if (!isCallerGone) return isCalleeGone ? 'callee' : null;
  if (!isCalleeGone) return 'caller';
  const apart = callee.lastHeardAt - caller.lastHeardAt;
  if (Math.abs(apart) <= TIMES.aliveIntervalMs) return 'both';
  return apart > 0 ? 'caller' : 'callee';
}
