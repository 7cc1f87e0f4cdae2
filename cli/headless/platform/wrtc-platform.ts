/**
 * The platform of the library in a Node process: wrtc for peer connections, ws for sockets, and the fetch of Node. The
 * microphone hears a tone, the camera sees moving bars. Sounds are not played, because no user listens.
 */
import type { Clock } from '../../../src/common/clock.ts';
import { randomUUID } from 'node:crypto';
import { hostClock } from '../../../src/common/host-clock.ts';
import { browserFetch } from '../../../src/calls/platform/browser/fetch.ts';
import type { FetchPort } from '../../../src/calls/platform/fetch.ts';
import type { FramesPort } from '../../../src/calls/platform/frames.ts';
import type { Platform } from '../../../src/calls/platform/platform.ts';
import type { RecorderPort } from '../../../src/calls/platform/recorder.ts';
import type { MediaElement } from '../../../src/calls/platform/media-element.ts';
import type { SocketPort } from '../../../src/calls/platform/socket.ts';
import { type HeadlessMedia, headlessDevices } from './headless-devices.ts';
import { wsSockets } from './ws-sockets.ts';
import type { RtcPort } from '../../../src/calls/platform/rtc.ts';
import { wrtc } from '../media/wrtc.ts';
import { announceMissedStates } from './missed-states.ts';

export interface HeadlessPlatform extends Platform {
  /** The newest peer connection, whose statistics count. */
  readonly peerConnection: RTCPeerConnection | null;
  /** Returns the peer connection that receives a track. Null without one. */
  connectionOf(track: MediaStreamTrack): RTCPeerConnection | null;
  /** Resolves when no HTTP request is pending. The last requests of the library have then been sent. */
  requestsSettled(): Promise<void>;
  /** Called once when the channel to the exchange is lost, and when it is open again. */
  onChannel: (isOpen: boolean) => void;
  /** The element that plays the mix of a large room for video. Null plays it nowhere. Default: null. */
  mixElement: MediaElement | null;
}

export function createWrtcPlatform(media: HeadlessMedia, print: Platform['print']): HeadlessPlatform {
  const clock = hostClock();
  const rtc = wrtcPort(clock, () => platform.mixElement);
  const http = countedFetch(browserFetch());
  const platform: HeadlessPlatform = {
    clock,
    random: () => Math.random(),
    newId: () => randomUUID(),
    // There is no page, so this platform offers what a page must offer.
    environment: {
      hasWindow: true,
      hasRealTimeMedia: true,
      userAgent: `Node.js/${process.versions.node} ringback`,
      location: { protocol: 'http:', hostname: 'localhost' },
    },
    sockets: watchedSockets(wsSockets(), (isOpen) => platform.onChannel(isOpen)),
    fetch: http.fetch,
    rtc: rtc.port,
    devices: headlessDevices(media),
    frames: noFrames,
    recorder: noRecorder,
    page: { state: 'active', onChange: () => () => undefined, onOnline: () => () => undefined },
    sounds: {
      play: () => ({ stop: () => undefined }),
      preload: () => Promise.resolve(true),
      setVolume: () => undefined,
    },
    print,
    get peerConnection() {
      return rtc.latest();
    },
    connectionOf: rtc.connectionOf,
    requestsSettled: http.settled,
    onChannel: () => undefined,
    mixElement: null,
  };
  return platform;
}

/** Reports when the channel is lost and open again. A channel that the library closes is not lost. */
function watchedSockets(inner: SocketPort, changed: (isOpen: boolean) => void): SocketPort {
  let isLost = false;
  let hasOpened = false;
  const note = (isOpen: boolean) => {
    if (isOpen === !isLost) return;
    isLost = !isOpen;
    changed(isOpen);
  };
  return {
    open(url, events) {
      let isClosing = false;
      const socket = inner.open(url, {
        ...events,
        opened() {
          hasOpened = true;
          note(true);
          events.opened();
        },
        closed(code, status) {
          if (hasOpened && !isClosing) note(false);
          events.closed(code, status);
        },
      });
      return {
        send: (text) => socket.send(text),
        close(code) {
          isClosing = true;
          socket.close(code);
        },
      };
    },
  };
}

/** Capturing is not available, because there are no elements. */
const noFrames: FramesPort = { hasPicture: () => false, draw: () => refuse('no picture') };

/** Recording is not available, because the engine has no MediaRecorder. */
const noRecorder: RecorderPort = {
  isSupported: () => false,
  start: () => refuse('no media recording'),
  save: () => refuse('no media recording'),
};

function refuse(what: string): never {
  throw new DOMException(`this platform has ${what}`, 'NotSupportedError');
}

/** Creates a fetch that counts its pending requests. */
function countedFetch(inner: FetchPort): { fetch: FetchPort; settled: () => Promise<void> } {
  const pending = new Set<Promise<unknown>>();
  return {
    fetch(url, request) {
      const answer = inner(url, request);
      const done = answer.catch(() => undefined);
      pending.add(done);
      void done.then(() => pending.delete(done));
      return answer;
    },
    async settled() {
      while (pending.size > 0) await Promise.all(pending);
    },
  };
}

/** Creates the port that makes peer connections over wrtc. */
/** @param mixElement - returns the element that plays the mix of a room. Null without one. */
function wrtcPort(
  clock: Clock,
  mixElement: () => MediaElement | null,
): {
  port: RtcPort;
  latest: () => RTCPeerConnection | null;
  connectionOf: HeadlessPlatform['connectionOf'];
} {
  // Keeps all connections: the engine keeps an unreferenced one alive as well.
  const made: RTCPeerConnection[] = [];
  return {
    port: {
      createPeerConnection(configuration) {
        const pc = new wrtc.RTCPeerConnection(configuration);
        announceMissedStates(pc, clock);
        made.push(pc);
        return pc;
      },
      createMediaStream: (tracks = []) => new wrtc.MediaStream(tracks),
      // No user listens. A caller that measures the sound has the received stream.
      createAudioElement: () => mixElement() ?? { srcObject: null },
    },
    latest: () => made.at(-1) ?? null,
    connectionOf: (track) => {
      const receives = (pc: RTCPeerConnection) =>
        pc.connectionState !== 'closed' && pc.getReceivers().some((receiver) => receiver.track === track);
      return made.find(receives) ?? null;
    },
  };
}
