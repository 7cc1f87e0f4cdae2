import { TIMES } from '../../../src/protocol/limits.ts';
import { acceptedLeg, type Call, type Leg } from './call.ts';
import type { DeviceDirectory } from '../directory/devices.ts';
import type { Side } from './outcomes.ts';
import type { Clock } from '../../../src/common/clock.ts';

/** The silence after which a leg counts as lost, milliseconds. It is the alive interval of 30 s and a margin (§9). */
const SILENT_MS = TIMES.aliveIntervalMs + 2_000;

/**
 * The side whose connection is lost as the exchange observes it: its device is without a socket, or silent. `both`:
 * they were lost together. `exchange`: a side did not reconnect after a restart of the exchange. Null when both sides
 * are connected.
 */
export type LostSide = Side | 'both' | 'exchange' | null;

interface Observed {
  readonly clock: Pick<Clock, 'now'>;
  readonly devices: Pick<DeviceDirectory, 'has'>;
}

/**
 * Returns the side whose connection is lost. When both are silent, it is the side that was silent a whole interval
 * earlier.
 */
export function lostSide({ clock, devices }: Observed, call: Call): LostSide {
  const { caller } = call;
  const callee = acceptedLeg(call);
  if (callee === null) return null;
  if (caller.lost !== null || callee.lost !== null) return 'exchange';
  const isGone = ({ device, lastHeardAt }: Leg) => !devices.has(device) || clock.now() - lastHeardAt > SILENT_MS;
  const [isCallerGone, isCalleeGone] = [isGone(caller), isGone(callee)];
  if (!isCallerGone) return isCalleeGone ? 'callee' : null;
  if (!isCalleeGone) return 'caller';
  const apart = callee.lastHeardAt - caller.lastHeardAt;
  if (Math.abs(apart) <= TIMES.aliveIntervalMs) return 'both';
  return apart > 0 ? 'caller' : 'callee';
}
