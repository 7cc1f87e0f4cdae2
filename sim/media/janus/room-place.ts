/** The place of a room: its rooms in the plugins of one Janus server. */
import type { RoomType } from '../../../src/protocol/room-entities.ts';
import { type HandleEvents, type JanusConnection, type JanusHandle, JanusError, read } from './connection.ts';
import { madeRoom, videoParticipants } from './messages.ts';

/** The plugins of Janus that rooms use. */
export const PLUGINS = { videoroom: 'janus.plugin.videoroom', audiobridge: 'janus.plugin.audiobridge' } as const;
export type Plugin = keyof typeof PLUGINS;

/** The plugins of a room, by its type. */
const NEEDS: Readonly<Record<RoomType, readonly Plugin[]>> = {
  small_room_for_audio_only: ['videoroom'],
  small_room_for_video: ['videoroom'],
  large_room_for_audio_only: ['audiobridge'],
  large_room_for_video: ['videoroom', 'audiobridge'],
};

/** How each plugin makes a room. `list` shows the room, so that other exchanges count its participants. */
const MAKE: Readonly<Record<Plugin, Readonly<Record<string, unknown>>>> = {
  videoroom: {
    request: 'create',
    is_private: false,
    publishers: 1_000,
    // One codec for each kind, so that a viewer can get each publisher in place of another one.
    audiocodec: 'opus',
    videocodec: 'vp8',
    bitrate: 1_500_000,
    dummy_publisher: true,
  },
  audiobridge: { request: 'create', is_private: false, sampling_rate: 48_000 },
};

/** The publisher that sends nothing. Viewers without a source get it. */
interface Dummy {
  readonly id: number;
  readonly mids: { readonly audio: string; readonly video: string };
}

/** The streams of the dummy: Janus makes one for each codec of the room, of sound first. */
const DUMMY_MIDS = { audio: '0', video: '1' } as const;

export interface PlaceOptions {
  readonly connection: JanusConnection;
  /** A handle of each plugin for requests about rooms. */
  readonly control: Readonly<Record<Plugin, JanusHandle>>;
  readonly type: RoomType;
  /** The name by which the exchange finds its rooms after a restart. */
  readonly description: string;
  /** Called when Janus did not carry out a request. */
  readonly failed: (what: string, error: unknown) => void;
}

export class RoomPlace {
  readonly #options: PlaceOptions;
  readonly #rooms = new Map<Plugin, number>();
  #dummy: Dummy | null = null;
  /** Whether Janus has the room no more. */
  isRemoved = false;

  private constructor(options: PlaceOptions) {
    this.#options = options;
  }

  /** Makes the rooms of Janus. @throws JanusError when it does not. It then has none. */
  static async open(options: PlaceOptions): Promise<RoomPlace> {
    const place = new RoomPlace(options);
    try {
      for (const plugin of NEEDS[options.type]) {
        const body = { ...MAKE[plugin], description: options.description };
        place.#rooms.set(plugin, read(madeRoom, await options.control[plugin].request(body)).room);
      }
      if (place.#rooms.has('videoroom')) place.#dummy = await place.#findDummy();
      return place;
    } catch (error) {
      place.close();
      throw error;
    }
  }

  get videoRoom(): number {
    return this.#roomOf('videoroom');
  }

  get audioRoom(): number {
    return this.#roomOf('audiobridge');
  }

  get dummy(): Dummy {
    if (!this.#dummy) throw new JanusError('this room has no viewers');
    return this.#dummy;
  }

  /** Whether the server has forgotten the room and its endpoints. */
  get isLost(): boolean {
    return this.isRemoved || this.#options.connection.isEnded;
  }

  attach(plugin: Plugin, events: HandleEvents): Promise<JanusHandle> {
    return this.#options.connection.attach(PLUGINS[plugin], events);
  }

  /** Reports a request without an own answer to the exchange that Janus did not carry out. */
  failed(what: string, error: unknown): void {
    if (!this.isLost) this.#options.failed(what, error);
  }

  /** Removes the rooms of Janus. */
  close(): void {
    for (const [plugin, room] of this.#rooms) {
      const removed = this.#options.control[plugin].request({ request: 'destroy', room });
      removed.catch((error: unknown) => this.failed('the end of a room', error));
    }
    this.#rooms.clear();
  }

  /** Returns whether a room of a plugin belongs to this place. */
  has(plugin: Plugin, room: number): boolean {
    return this.#rooms.get(plugin) === room;
  }

  #roomOf(plugin: Plugin): number {
    const room = this.#rooms.get(plugin);
    if (room === undefined) throw new JanusError('this room is not in the plugin');
    return room;
  }

  async #findDummy(): Promise<Dummy> {
    const reply = await this.#options.control.videoroom.request({ request: 'listparticipants', room: this.videoRoom });
    const [dummy] = read(videoParticipants, reply).participants;
    if (!dummy) throw new JanusError('it made a video room without a dummy publisher');
    return { id: dummy.id, mids: DUMMY_MIDS };
  }
}
