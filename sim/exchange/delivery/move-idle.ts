import type { Timer } from '../../../src/common/clock.ts';
import type { Core } from '../core.ts';
import type { DeviceId } from '../directory/sessions.ts';

/** The service restarts: the client connects again (RFC 6455 and its registry). */
const CLOSE_RESTART = 1012;
/** The interval between two groups of devices. Milliseconds. */
const STEP_MS = 250;

/**
 * Lets idle devices connect to other nodes, in groups, so that they do not arrive there at once. An idle device has no
 * call or room, here or at another node. A device whose call ends later follows.
 *
 * @param ms - the time in which the devices that are idle now leave. Milliseconds.
 * @returns what stops it.
 */
export function moveIdleDevices(
  core: Pick<Core, 'clock' | 'channels' | 'cluster' | 'participations' | 'router'>,
  ms: number,
): Timer {
  const { clock, channels, cluster, participations, router } = core;
  const isIdle = (device: DeviceId) =>
    participations.every((one) => one.unended(device).length === 0) && cluster?.hasCallElsewhere?.(device) !== true;
  const idle = () => channels.all.filter(isIdle);
  const group = Math.max(1, Math.ceil((idle().length * STEP_MS) / Math.max(ms, STEP_MS)));
  const move = () => {
    for (const device of idle().slice(0, group)) router.close(device, CLOSE_RESTART, 'the server restarts');
  };
  move();
  return clock.every(STEP_MS, move);
}
