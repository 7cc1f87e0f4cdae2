/** A user at one device: the actions, and the observable values. */
import { isAction } from '../format/actions.ts';
import { type Acted, ActionImpossible, type Parameters } from '../run/world.ts';
import { ACTIONS, type Library } from './actions.ts';
import type { Untimed } from '../../../src/trace/events.ts';
import { type ReceivedMedia, type MediaMeter, NO_MEDIA } from './received-media.ts';
import type { ObservableDevice } from './observable-device.ts';
import type { Participations } from './participations.ts';
import { UserRooms } from './user-rooms.ts';

const LISTENER = 'scenario';

/** The timers that replace the library's. Milliseconds. */
export interface PersonTimers {
  readonly ring?: number;
  readonly connection?: number;
}

export interface PersonOptions {
  /** The name of the device: `alice`, or `bob.phone`. */
  readonly name: string;
  readonly user: string;
  readonly library: Library;
  readonly device: ObservableDevice;
  readonly participations: Participations;
  readonly note: (event: Untimed) => void;
  /** Measures the received media of each connection, if the world supports it. */
  readonly media: MediaMeter | undefined;
  readonly timers: PersonTimers;
}

export class Person {
  readonly #name: string;
  readonly #user: string;
  readonly #library: Library;
  readonly #device: ObservableDevice;
  readonly #participations: Participations;
  readonly #rooms: UserRooms;
  readonly #note: (event: Untimed) => void;
  readonly #media: MediaMeter | undefined;

  constructor({ name, user, library, device, participations, note, media, timers }: PersonOptions) {
    this.#name = name;
    this.#user = user;
    this.#library = library;
    this.#device = device;
    this.#participations = participations;
    this.#note = note;
    this.#media = media;
    this.#rooms = new UserRooms({ participations, screen: device, media });
    if (timers.ring !== undefined) library.setRingingTimeout(timers.ring / 1_000);
    if (timers.connection !== undefined) library.setCallConnectionTimeout(timers.connection / 1_000);
    library.addListener(LISTENER, {
      onRinging: (call) => participations.addRinging(call),
      onInvitationReceived: (invitation) => this.#rooms.addReceived(invitation),
    });
  }

  /** The media that the current call receives. Undefined in a world that does not measure media. */
  get received(): ReceivedMedia | undefined {
    return this.#currentMedia();
  }

  async signIn(): Promise<void> {
    await this.#library.authenticate({ userId: this.#user });
    await this.#library.connectWebSocket();
  }

  /** Returns the value at a path behind the user's name. */
  read([area, what]: readonly string[]): unknown {
    const { errors, told, reconnected } = this.#participations;
    switch (area) {
      case 'call': {
        const call = this.#participations.currentIn(area);
        return call && what === 'reconnected' ? reconnected : call?.read(what ?? 'state');
      }
      case 'pc':
        return this.#device.stateOf('peer') ?? 'none';
      case 'room':
        return this.#participations.currentIn(area)?.read(what ?? 'state');
      case 'rooms':
        return this.#readRooms(what);
      case 'invitations':
        return this.#rooms.inviters;
      case 'endpoint':
        return this.#device.stateOf('endpoint') ?? 'none';
      case 'pcs':
        return this.#device.openPeerConnections;
      case 'calls':
        return this.#library.getOngoingCallCount();
      case 'ws':
        return this.#device.channel;
      case 'sound':
        return this.#device.looping?.toLowerCase() ?? 'none';
      case 'audio':
        return what === 'tone' ? this.#currentMedia()?.tone : undefined;
      case 'video':
        return what === 'fps' || what === 'marker' ? this.#currentMedia()?.[what] : undefined;
      case 'errors':
        return [...errors];
      case 'told':
        return what === undefined ? [...told] : told.filter((name) => name === what).length;
      case 'user':
        return this.#library.currentUser?.userId ?? 'none';
      case 'tracks':
        return this.#device.liveTracks;
      case 'page':
        return this.#device.page;
      default:
        return undefined;
    }
  }

  /** Performs an action. @throws ActionImpossible when the action does not exist, or cannot be tried. */
  act(action: string, parameters: Parameters): Acted {
    if (!isAction(action))
      throw new ActionImpossible(`there is no action ${action}: they are ${Object.keys(ACTIONS).join(', ')}`);
    try {
      const acting = {
        library: this.#library,
        participations: this.#participations,
        rooms: this.#rooms,
        signIn: () => this.signIn(),
      };
      const acted = ACTIONS[action](acting, parameters);
      // The callback of a dial reports its outcome.
      if (action !== 'dial') acted.done?.catch((error: unknown) => this.#noteRefusal(error));
      return acted;
    } catch (error) {
      this.#noteRefusal(error);
      throw error;
    }
  }

  #readRooms(what: string | undefined): unknown {
    const { query, page } = this.#rooms;
    if (what === undefined) return [...page];
    return what === 'next' ? query?.hasNext : query?.hasPrev;
  }

  /** Measures the media of the current participation. Another one, for example a call on hold, has separate media. */
  #currentMedia(): ReceivedMedia | undefined {
    const connection = this.#participations.current?.connection;
    return this.#media && (connection ? this.#media(connection) : NO_MEDIA);
  }

  /** Records a refusal by its code: its class may be that of another copy of the library. */
  #noteRefusal(error: unknown): void {
    if (error instanceof Error && 'code' in error && typeof error.code === 'number')
      this.#note({ kind: 'error', device: this.#name, code: error.code, message: error.message });
  }
}
