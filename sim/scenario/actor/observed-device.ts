import type { MediaElement } from '../../../src/calls/platform/media-element.ts';
import type { DevicesPort } from '../../../src/calls/platform/devices.ts';
import type { Platform } from '../../../src/calls/platform/platform.ts';
import type { RtcPeerConnection, RtcPort } from '../../../src/calls/platform/rtc.ts';
import type { SocketPort } from '../../../src/calls/platform/socket.ts';
import type { SoundsPort } from '../../../src/calls/platform/sounds.ts';
import type { ErrorEvent, StateEvent, Untimed } from '../../../src/trace/events.ts';
import { machineLoggedAs, type MachineName } from '../trace/machines.ts';
import type { ObservableDevice } from './observable-device.ts';

/**
 * The ports of a device, with an observer of each. The observer counts here, and not in the world, so that the
 * numbers mean the same in every kind of world.
 */
export class ObservedDevice implements ObservableDevice {
  /** The ports for the library. */
  readonly ports: Platform;
  readonly #name: string;
  readonly #note: (event: Untimed) => void;
  readonly #connections = new Set<RtcPeerConnection>();
  readonly #tracks = new Set<MediaStreamTrack>();
  readonly #looping = new Map<object, string>();
  #channel: 'closed' | 'open' = 'closed';
  readonly #states = new Map<string, string>();
  readonly #ownElements = new Set<MediaElement>();

  constructor(name: string, platform: Platform, note: (event: Untimed) => void) {
    this.#name = name;
    this.#note = note;
    this.ports = {
      ...platform,
      sockets: this.#sockets(platform.sockets),
      rtc: this.#rtc(platform.rtc),
      devices: this.#devices(platform.devices),
      sounds: this.#sounds(platform.sounds),
      print: (level, line) => {
        platform.print(level, line);
        this.#read(line);
      },
    };
  }

  get channel(): 'closed' | 'open' {
    return this.#channel;
  }

  stateOf(machine: MachineName): string | undefined {
    return this.#states.get(machine);
  }

  get ownElements(): readonly MediaElement[] {
    return [...this.#ownElements];
  }

  createElement(kind: 'audio' | 'video'): HTMLMediaElement {
    return pageElement(kind);
  }

  connectionReceiving(track: MediaStreamTrack): RtcPeerConnection | undefined {
    return connectionReceiving(this.#connections, track);
  }

  get openPeerConnections(): number {
    return count(this.#connections, ({ connectionState }) => connectionState !== 'closed');
  }

  get liveTracks(): number {
    return count(this.#tracks, ({ readyState }) => readyState === 'live');
  }

  get looping(): string | undefined {
    return [...this.#looping.values()][0];
  }

  get page(): string {
    return this.ports.page.state;
  }

  #sockets(sockets: SocketPort): SocketPort {
    return {
      open: (url, events) =>
        sockets.open(url, {
          opened: () => {
            this.#channel = 'open';
            this.#note({ kind: 'socket', device: this.#name, what: 'open' });
            events.opened();
          },
          received: (text) => events.received(text),
          closed: (code, status) => {
            this.#channel = 'closed';
            this.#note({
              kind: 'socket',
              device: this.#name,
              what: 'close',
              code,
              ...(status === undefined ? {} : { status }),
            });
            events.closed(code, status);
          },
        }),
    };
  }

  #rtc(rtc: RtcPort): RtcPort {
    return {
      createPeerConnection: (configuration) => {
        const made = rtc.createPeerConnection(configuration);
        this.#connections.add(made);
        return made;
      },
      createMediaStream: (tracks) => rtc.createMediaStream(tracks),
      createAudioElement: () => {
        const made = rtc.createAudioElement();
        this.#ownElements.add(made);
        return made;
      },
    };
  }

  #devices(devices: DevicesPort): DevicesPort {
    const opened = (stream: MediaStream): MediaStream => {
      for (const track of stream.getTracks()) this.#tracks.add(track);
      return stream;
    };
    const made = (track: MediaStreamTrack): MediaStreamTrack => {
      this.#tracks.add(track);
      return track;
    };
    return {
      getUserMedia: async (constraints) => opened(await devices.getUserMedia(constraints)),
      get canCaptureDisplay() {
        return devices.canCaptureDisplay;
      },
      getDisplayMedia: async (constraints) => opened(await devices.getDisplayMedia(constraints)),
      enumerate: () => devices.enumerate(),
      onChange: (changed) => devices.onChange(changed),
      silence: () => made(devices.silence()),
      blackPicture: () => made(devices.blackPicture()),
    };
  }

  #sounds(sounds: SoundsPort): SoundsPort {
    return {
      preload: (url) => sounds.preload(url),
      setVolume: (volume) => sounds.setVolume(volume),
      play: (name, options) => {
        this.#note({ kind: 'sound', device: this.#name, what: 'play', name });
        const playing = sounds.play(name, options);
        if (options.looped) this.#looping.set(playing, name);
        return {
          stop: () => {
            this.#looping.delete(playing);
            this.#note({ kind: 'sound', device: this.#name, what: 'stop', name });
            playing.stop();
          },
        };
      },
    };
  }

  /** Reads a line of the library's log, which reports state changes and errors. */
  #read(line: string): void {
    const event = logLine(this.#name, line);
    if (!event) return;
    if (event.kind === 'state') this.#states.set(event.machine, event.to);
    this.#note(event);
  }
}

/** Returns an element without a page: it only holds what it is to show. */
const pageElement = (kind: 'audio' | 'video') =>
  ({ tagName: kind.toUpperCase(), localName: kind, srcObject: null, muted: false }) as HTMLMediaElement;

/** Returns the open peer connection that receives a track. Undefined for a track of this device. */
export const connectionReceiving = <C extends Pick<RtcPeerConnection, 'connectionState' | 'getTransceivers'>>(
  connections: Iterable<C>,
  track: MediaStreamTrack,
): C | undefined =>
  [...connections].find(
    (one) => one.connectionState !== 'closed' && one.getTransceivers().some(({ receiver }) => receiver.track === track),
  );

const count = <T>(all: Iterable<T>, holds: (one: T) => boolean): number => [...all].filter(holds).length;

/** The move of a state machine in the log. A device has several endpoints, so their moves have an id. */
const MOVE = /\] (\w[\w ]*) \{(?:"id":"([^"]*)",)?(?:"role":"\w+",)?"from":"(\w+)","to":"(\w+)"\}$/;

/** Reads a line of the library's log: the move of a state machine, or an error. Undefined for any other line. */
export function logLine(device: string, line: string): Untimed<StateEvent | ErrorEvent> | undefined {
  const [, logName, id, from = '', to = ''] = MOVE.exec(line) ?? [];
  const machine = logName === undefined ? undefined : machineLoggedAs(logName);
  if (machine) return { kind: 'state', device, machine, ...(id === undefined ? {} : { id }), from, to };
  const trouble = /\[(?:ERROR|WARNING)\] (.*)$/.exec(line);
  if (!trouble) return undefined;
  const code = /"code":(\d+)/.exec(line)?.[1];
  return {
    kind: 'error',
    device,
    ...(code === undefined ? {} : { code: Number(code) }),
    message: trouble[1] ?? '',
  };
}
