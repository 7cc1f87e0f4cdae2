/** The devices of a headless caller: a microphone that hears a tone, a camera that sees moving bars. */
import type { DevicesPort } from '../../../src/calls/platform/devices.ts';
import { createBarsSource, createBlackSource, createToneSource } from '../media/sources.ts';
import { wrtc } from '../media/wrtc.ts';

export interface HeadlessMedia {
  /** Hertz. 0 gives silence. */
  readonly tone: number;
  /** The share of full scale, 0 to 1. Default: 0.5. */
  readonly volume?: number | undefined;
  readonly width: number;
  readonly height: number;
  readonly fps: number;
}

const MICROPHONE = 'tone';
const CAMERA = 'bars';

export function headlessDevices(media: HeadlessMedia): DevicesPort {
  const open = ({ audio, video }: MediaStreamConstraints): MediaStream => {
    if (!audio && !video) throw new TypeError('At least one of audio and video must be requested.');
    checkDevice(audio, MICROPHONE);
    checkDevice(video, CAMERA);
    return new wrtc.MediaStream([
      ...(audio ? [from(MICROPHONE, createToneSource(media.tone, media.volume).track)] : []),
      ...(video ? [from(CAMERA, createBarsSource(media.width, media.height, media.fps).track)] : []),
    ]);
  };
  return {
    getUserMedia: (constraints) => new Promise((resolve) => resolve(open(constraints))),
    canCaptureDisplay: false,
    getDisplayMedia: () => Promise.reject(new DOMException('this platform has no screen', 'NotSupportedError')),
    enumerate: () =>
      Promise.resolve([
        device('audioinput', MICROPHONE, `Tone of ${media.tone} Hz`),
        device('videoinput', CAMERA, 'Moving bars'),
        device('audiooutput', 'meter', 'Tone meter'),
      ]),
    onChange: () => () => undefined,
    silence: () => createToneSource(0).track,
    blackPicture: () => createBlackSource(media.width, media.height).track,
  };
}

/** Gives the tracks of wrtc the id of a listed device. */
function from(deviceId: string, track: MediaStreamTrack): MediaStreamTrack {
  const settings = { ...track.getSettings(), deviceId };
  return Object.defineProperty(track, 'getSettings', { value: () => settings });
}

/** Rejects a request for a device that does not exist. */
function checkDevice(wanted: boolean | MediaTrackConstraints | undefined, deviceId: string): void {
  const constraint = typeof wanted === 'object' ? wanted.deviceId : undefined;
  const exact = typeof constraint === 'object' && 'exact' in constraint ? constraint.exact : undefined;
  if (exact !== undefined && exact !== deviceId) {
    throw Object.assign(new Error(`There is no device ${String(exact)}.`), { name: 'OverconstrainedError' });
  }
}

function device(kind: MediaDeviceKind, deviceId: string, label: string): MediaDeviceInfo {
  const info = { deviceId, groupId: 'ringback', kind, label };
  return { ...info, toJSON: () => info };
}
