/** A person at a device of theirs: what they do with the library, and what is to be seen of them. */
import { isAction } from '../format/actions.ts';
import { type Acted, ActionImpossible } from '../run/world.ts';
import { ACTIONS, type Parameters } from './actions.ts';
import type { FollowedCalls } from './followed-calls.ts';
import type { Untimed } from '../trace/trace.ts';
import type { Library } from './library.ts';
import { type MediaSight, type MediaSights, NO_MEDIA } from './media-sight.ts';
import { connectionOf, readCall } from './read-call.ts';

const LISTENER = 'scenario';

/** What is to be seen of a device. */
export interface DeviceSight {
  readonly channel: 'closed' | 'open';
  /** The state of the peer connection that moved last. */
  readonly peer: string;
  readonly openPeerConnections: number;
  /** Tracks of its microphone, camera and screen that have not ended, and what stands in for them. */
  readonly liveTracks: number;
  /** The sound that goes on until it is stopped; undefined where there is none. */
  readonly looping: string | undefined;
  /** The life of its page. */
  readonly page: string;
}

/** Milliseconds, in place of the library's own. */
export interface PersonTimers {
  readonly ring?: number;
  readonly connection?: number;
}

export interface PersonOptions {
  /** `alice`, or `bob.phone`. */
  readonly name: string;
  readonly user: string;
  readonly library: Library;
  readonly device: DeviceSight;
  readonly calls: FollowedCalls;
  readonly note: (event: Untimed) => void;
  /** The media that is received through each connection, where the world can measure it. */
  readonly media: MediaSights | undefined;
  readonly timers: PersonTimers;
}

export class Person {
  readonly #name: string;
  readonly #user: string;
  readonly #library: Library;
  readonly #device: DeviceSight;
  readonly #calls: FollowedCalls;
  readonly #note: (event: Untimed) => void;
  readonly #media: MediaSights | undefined;

  constructor({ name, user, library, device, calls, note, media, timers }: PersonOptions) {
    this.#name = name;
    this.#user = user;
    this.#library = library;
    this.#device = device;
    this.#calls = calls;
    this.#note = note;
    this.#media = media;
    if (timers.ring !== undefined) library.setRingingTimeout(timers.ring / 1_000);
    if (timers.connection !== undefined) library.setCallConnectionTimeout(timers.connection / 1_000);
    library.addListener(LISTENER, { onRinging: (call) => calls.rang(call) });
  }

  async signIn(): Promise<void> {
    await this.#library.authenticate({ userId: this.#user });
    await this.#library.connectWebSocket();
  }

  /** What is to be seen of this person, by its path behind their name. */
  read([area, what]: readonly string[]): unknown {
    const { last, errors, told } = this.#calls;
    switch (area) {
      case 'call':
        if (last === undefined) return undefined;
        return what === 'reconnected' ? this.#calls.reconnected : readCall(last, what ?? 'state');
      case 'pc':
        return this.#device.peer;
      case 'pcs':
        return this.#device.openPeerConnections;
      case 'calls':
        return this.#library.getOngoingCallCount();
      case 'ws':
        return this.#device.channel;
      case 'sound':
        return this.#device.looping?.toLowerCase() ?? 'none';
      case 'audio':
        return what === 'tone' ? this.#mediaInHand()?.tone : undefined;
      case 'video':
        return what === 'fps' || what === 'marker' ? this.#mediaInHand()?.[what] : undefined;
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

  /** @throws ActionImpossible when there is no such action, or nothing to do it with. */
  act(action: string, parameters: Parameters): Acted {
    if (!isAction(action))
      throw new ActionImpossible(`there is no action ${action}: they are ${Object.keys(ACTIONS).join(', ')}`);
    try {
      const acting = { library: this.#library, calls: this.#calls, signIn: () => this.signIn() };
      const acted = ACTIONS[action](acting, parameters);
      // What becomes of a dial its callback says.
      if (action !== 'dial') acted.done?.catch((error: unknown) => this.#noteRefusal(error));
      return acted;
    } catch (error) {
      this.#noteRefusal(error);
      throw error;
    }
  }

  /** Reads what the call in hand receives: another call, one on hold, has media of its own. */
  #mediaInHand(): MediaSight | undefined {
    const connection = this.#calls.last && connectionOf(this.#calls.last);
    return this.#media && (connection ? this.#media(connection) : NO_MEDIA);
  }

  /** Told by its code and not by its class, which may be that of another copy of the library. */
  #noteRefusal(error: unknown): void {
    if (error instanceof Error && 'code' in error && typeof error.code === 'number')
      this.#note({ kind: 'error', device: this.#name, code: error.code, message: error.message });
  }
}
