import type { Clock } from '../../../common/clock.ts';
import type { DevicesPort } from '../devices.ts';
import { blackPicture } from './black-picture.ts';
import { silence } from './silence.ts';

/** Returns the devices of the browser. Undefined on a page without https. */
const mediaDevices = () => (typeof navigator === 'undefined' ? undefined : navigator.mediaDevices);

export function browserDevices(clock: Clock): DevicesPort {
  return {
    async getUserMedia(constraints) {
      const devices = mediaDevices();
      if (!devices) throw new DOMException('this page may not use devices', 'NotAllowedError');
      return devices.getUserMedia(constraints);
    },
    get canCaptureDisplay() {
      // Phones have devices but no screen capture.
      return typeof mediaDevices()?.getDisplayMedia === 'function';
    },
    async getDisplayMedia(constraints) {
      const devices = mediaDevices();
      if (!devices) throw new DOMException('this page may not capture the screen', 'NotAllowedError');
      return devices.getDisplayMedia(constraints);
    },
    enumerate: async () => (await mediaDevices()?.enumerateDevices()) ?? [],
    onChange(changed) {
      const devices = mediaDevices();
      const listener = () => changed();
      devices?.addEventListener('devicechange', listener);
      return () => devices?.removeEventListener('devicechange', listener);
    },
    silence: () => silence(clock),
    blackPicture: () => blackPicture(clock),
  };
}
