import type { DevicesPort } from '../../../src/calls/platform/devices.ts';
import type { FaultOf } from '../../../sim/faults/vocabulary.ts';
import { createBarsSource } from '../../headless/media/sources.ts';
import { wrtc } from '../../headless/media/wrtc.ts';
import { type HeadlessMedia, headlessDevices } from '../../headless/platform/headless-devices.ts';

type DeviceFault = FaultOf<'device'>;

/** The microphone, the camera and the screen of a headless device. Each one can be made to fail. */
export interface BreakableDevices extends DevicesPort {
  /** Makes opening one of them fail with an error of a browser. Returns the function that ends the fault. */
  fail(what: DeviceFault['what'], error: DeviceFault['error']): () => void;
}

export function breakableDevices(media: HeadlessMedia): BreakableDevices {
  const inner = headlessDevices(media);
  const failures = new Map<DeviceFault['what'], DeviceFault['error']>();
  const check = (what: DeviceFault['what'], isWanted: unknown) => {
    const error = isWanted ? failures.get(what) : undefined;
    if (error !== undefined) throw new DOMException(`${what}: ${error}`, error);
  };
  return {
    ...inner,
    canCaptureDisplay: true,
    async getUserMedia(constraints) {
      check('audio', constraints.audio);
      check('video', constraints.video);
      return inner.getUserMedia(constraints);
    },
    async getDisplayMedia() {
      check('display', true);
      return new wrtc.MediaStream([createBarsSource(media.width, media.height, media.fps).track]);
    },
    fail(what, error) {
      failures.set(what, error);
      return () => void failures.delete(what);
    },
  };
}
