/**
 * Runs in the page, before the app: replaces the microphone by a tone and the camera by moving bars under the
 * marker, and measures the media of the other side. The signals and their readers are the terminal's, so that a page
 * and a terminal can measure each other.
 */
import { createFrameMeter, type FrameReading } from '../../../cli/headless/signals/frame-meter.ts';
import type { ToneReading } from '../../../cli/headless/signals/tone-meter.ts';
import { camera, listen, watch } from './page-meters.ts';
import { microphone } from './page-tracks.ts';

/** The measurements of the page since their last start. */
export interface PageReading {
  readonly tone: ToneReading;
  readonly frames: FrameReading;
  /** The number of the newest readable frame. */
  readonly newest: number | null;
  /** Whether the user hears the call: the element is neither muted nor paused. */
  readonly plays: boolean;
}

/** The first frame number of the rear camera, so that the other side can identify the camera. */
export const REAR_CAMERA_FROM = 30_000;

let stopMeasuring: (() => void) | undefined;
let read: (() => PageReading) | undefined;
const connections: RTCPeerConnection[] = [];
const given: MediaStreamTrack[] = [];

/** Replaces the devices, if the page may have any. The empty page before the app may not. */
export function install(tone: number): void {
  if (!('mediaDevices' in navigator)) return;
  navigator.mediaDevices.getUserMedia = async ({ audio, video }: MediaStreamConstraints = {}) => {
    const tracks = [
      ...(audio ? [microphone(tone)] : []),
      ...(video ? [camera(isRear(video) ? REAR_CAMERA_FROM : 0)] : []),
    ];
    given.push(...tracks);
    return new MediaStream(tracks);
  };
  const Native = RTCPeerConnection;
  globalThis.RTCPeerConnection = class extends Native {
    constructor(configuration?: RTCConfiguration) {
      super(configuration);
      connections.push(this);
    }
  };
}

/** Returns the resources of ended calls that the page still holds: open connections, and devices in use. */
export const leftovers = (): string[] => [
  ...connections.flatMap(({ connectionState: state }) => (state === 'closed' ? [] : [`a ${state} connection`])),
  ...given.flatMap(({ kind, readyState }) => (readyState === 'live' ? [`a live ${kind} track`] : [])),
];

/** Starts new measurements of the visible call. */
export function measure(): void {
  stopMeasuring?.();
  const element = theirMedia();
  const ears = listen(element);
  const eyes = element instanceof HTMLVideoElement ? watch(element) : null;
  stopMeasuring = () => {
    ears.stop();
    eyes?.stop();
  };
  read = () => ({
    tone: ears.reading(),
    frames: (eyes?.meter ?? createFrameMeter()).reading(),
    newest: eyes?.newest() ?? null,
    plays: !element.muted && !element.paused && element.volume > 0,
  });
}

export function reading(): PageReading {
  if (!read) throw new Error('nothing is measured: call measure() first');
  return read();
}

/** Returns the statistics of the newest connection. */
export const connectionState = (): RTCPeerConnectionState | undefined => connections.at(-1)?.connectionState;

function isRear(video: boolean | MediaTrackConstraints): boolean {
  return typeof video === 'object' && JSON.stringify(video.facingMode ?? null).includes('environment');
}

/** Returns the element that plays the other side. The local picture is muted. */
function theirMedia(): HTMLMediaElement {
  const elements = [...document.querySelectorAll<HTMLMediaElement>('[role=dialog] :is(audio, video)')];
  const theirs = elements.find((element) => !element.muted && element.srcObject instanceof MediaStream);
  if (!theirs) throw new Error('no call on the screen plays anything');
  return theirs;
}
