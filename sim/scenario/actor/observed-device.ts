import type { DevicesPort } from '../../../src/calls/platform/devices.ts';
import type { Platform } from '../../../src/calls/platform/platform.ts';
import type { RtcPeerConnection, RtcPort } from '../../../src/calls/platform/rtc.ts';
import type { SocketPort } from '../../../src/calls/platform/socket.ts';
import type { SoundsPort } from '../../../src/calls/platform/sounds.ts';
import type { Untimed } from '../trace/trace.ts';

/**
 * A device's ports, with a look at what goes through them. What is seen is counted here and not by the world, so that
 * it means the same in each.
 */
export class ObservedDevice {
  /** The ports to hand to the library. */
  readonly ports: Platform;
  readonly #name: string;
  readonly #note: (event: Untimed) => void;
  readonly #connections = new Set<RtcPeerConnection>();
  readonly #tracks = new Set<MediaStreamTrack>();
  readonly #looping = new Map<object, string>();
  #channel: 'closed' | 'open' = 'closed';
  #peer = 'none';

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

  /** The state of the peer connection that moved last. */
  get peer(): string {
    return this.#peer;
  }

  get openPeerConnections(): number {
    return count(this.#connections, ({ connectionState }) => connectionState !== 'closed');
  }

  /** Tracks of this device that have not ended: those of its microphone, camera and screen, and what stands in for them. */
  get liveTracks(): number {
    return count(this.#tracks, ({ readyState }) => readyState === 'live');
  }

  /** The sound that goes on until it is stopped; undefined where there is none. */
  get looping(): string | undefined {
    return [...this.#looping.values()][0];
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

  /** The library says in its log when a state machine moves, and what went wrong. */
  #read(line: string): void {
    const moved = /\] (call|peer connection) \{"from":"(\w+)","to":"(\w+)"\}$/.exec(line);
    if (moved) {
      const [, machine, from = '', to = ''] = moved;
      if (machine !== 'call') this.#peer = to;
      this.#note({ kind: 'state', device: this.#name, machine: machine === 'call' ? 'call' : 'peer', from, to });
      return;
    }
    const trouble = /\[(?:ERROR|WARNING)\] (.*)$/.exec(line);
    if (!trouble) return;
    const code = /"code":(\d+)/.exec(line)?.[1];
    this.#note({
      kind: 'error',
      device: this.#name,
      ...(code === undefined ? {} : { code: Number(code) }),
      message: trouble[1] ?? '',
    });
  }
}

const count = <T>(all: Iterable<T>, holds: (one: T) => boolean): number => [...all].filter(holds).length;
