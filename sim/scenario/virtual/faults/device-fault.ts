import { each, type Mend } from '../../../faults/inject-fault.ts';
import { spanOf } from '../../../format/duration.ts';
import type { FaultOf } from '../../../faults/vocabulary.ts';
import type { FaultPlace } from './place.ts';

type DeviceFault = FaultOf<'device' | 'unplug' | 'page' | 'throttle' | 'sleep' | 'clock'>;

/** Breaks a device, its page or its clock. */
export function breakDevice(fault: DeviceFault, { world, devicesOf }: FaultPlace): Mend {
  if (fault.kind === 'clock') {
    const ms = (spanOf(fault.by) ?? 0) * (fault.back ? -1 : 1);
    world.clock.skewWall(ms);
    return () => world.clock.skewWall(-ms);
  }
  return each(devicesOf(fault.actor), ({ name, devices, page, clock, net }) => {
    switch (fault.kind) {
      case 'device':
        devices.fail(fault.what, fault.error);
        return () => devices.mend();
      case 'unplug':
        return devices.take(fault.what);
      case 'page':
        page.go(fault.state);
        return () => page.go('active');
      case 'throttle':
        clock.throttle(spanOf(fault.every) ?? 0);
        return () => clock.throttle(0);
      case 'sleep':
        clock.sleep();
        net.setSockets('stalled');
        net.setHttp('stalled');
        world.media.cutDevice(name);
        return () => {
          clock.wake();
          net.restore();
          world.media.restoreDevice(name);
        };
      default:
        return fault satisfies never;
    }
  });
}
