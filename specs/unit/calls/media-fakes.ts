import { MediaDevices } from '../../../src/calls/media/media-devices.ts';
import type { DevicesPort } from '../../../src/calls/platform/devices.ts';

/** The parts of a track that the library uses. */
export function fakeTrack(kind: 'audio' | 'video', label = kind as string) {
  const listeners = new Set<unknown>();
  const track = {
    kind,
    label,
    enabled: true,
    readyState: 'live' as MediaStreamTrackState,
    stop: () => {
      track.readyState = 'ended';
    },
    getSettings: () => ({}),
    listeners,
    addEventListener: (_type: string, listener: unknown, { signal }: { signal: AbortSignal }) => {
      listeners.add(listener);
      signal.addEventListener('abort', () => listeners.delete(listener));
    },
  };
  return track as unknown as MediaStreamTrack;
}

export function fakeStream(tracks: MediaStreamTrack[] = []): MediaStream {
  const held = new Set(tracks);
  const stream = {
    getTracks: () => [...held],
    getAudioTracks: () => [...held].filter(({ kind }) => kind === 'audio'),
    getVideoTracks: () => [...held].filter(({ kind }) => kind === 'video'),
    addTrack: (track: MediaStreamTrack) => void held.add(track),
    removeTrack: (track: MediaStreamTrack) => void held.delete(track),
  };
  return stream as unknown as MediaStream;
}

export const fakeRtc = { createMediaStream: (tracks?: MediaStreamTrack[]) => fakeStream(tracks) };

/** An error as getUserMedia rejects with. */
export function deviceError(name: string): Error {
  return Object.assign(new Error(`${name} happened`), { name });
}

/** Devices whose answers a test sets. Records the requests and every track it returned. */
export function fakeDevices(answer: (constraints: MediaStreamConstraints) => Promise<MediaStream> | undefined) {
  const asked: MediaStreamConstraints[] = [];
  const handedOut: MediaStreamTrack[] = [];
  const remember = (track: MediaStreamTrack) => {
    handedOut.push(track);
    return track;
  };
  const devices: DevicesPort = {
    getUserMedia: async (constraints) => {
      asked.push(constraints);
      const stream =
        (await answer(constraints)) ??
        fakeStream([
          ...(constraints.audio ? [fakeTrack('audio', 'microphone')] : []),
          ...(constraints.video ? [fakeTrack('video', `camera ${asked.length}`)] : []),
        ]);
      stream.getTracks().forEach(remember);
      return stream;
    },
    canCaptureDisplay: false,
    getDisplayMedia: () => Promise.reject(deviceError('NotSupportedError')),
    enumerate: async () => [],
    onChange: () => () => undefined,
    silence: () => remember(fakeTrack('audio', 'silence')),
    blackPicture: () => remember(fakeTrack('video', 'black')),
  };
  return { devices, asked, handedOut };
}

/** The default choice of a host. */
export const noChoice = (devices: DevicesPort) =>
  new MediaDevices({
    devices,
    page: { onChange: () => () => undefined },
    log: fakeLog(),
    changed: () => undefined,
  });

/** A log that keeps its warnings. */
export function fakeLog() {
  const warnings: string[] = [];
  return { warnings, warning: (message: string) => void warnings.push(message), debug: () => undefined };
}
