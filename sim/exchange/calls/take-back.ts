import type { Core } from '../core.ts';
import { signal } from '../delivery/deliver.ts';
import { legsOf, type Call } from './call.ts';

/**
 * Goes on with a live call that another node had adopted meanwhile. A device on which the call rang may have accepted it
 * at that node, so it learns again that another one was first.
 *
 * @param lastSignal - the highest number of a signal that the other node has stored.
 */
export function takeBack(core: Pick<Core, 'clock' | 'ids' | 'live' | 'router'>, call: Call, lastSignal: number): void {
  if (call.state.name === 'ended') return;
  for (const leg of legsOf(call)) {
    leg.signals.skip(lastSignal);
    // The sides may have moved to the other node, and were heard there.
    leg.lastHeardAt = core.clock.now();
    if (leg.outcome !== 'other_device_accepted') continue;
    signal(core, leg, { cmd: 'CALL', type: 'other_device_accepted', payload: call.ack });
  }
  core.live?.again(call);
}
