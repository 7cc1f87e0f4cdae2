/** A person at a device of theirs, in whichever world: nothing here knows more of it than the library's own ports. */
import { Client } from '../../../src/calls/client/client.ts';
import type { Platform } from '../../../src/calls/platform/platform.ts';
import { type Acted, ActionImpossible } from '../run/world.ts';
import { CallError } from '../../../src/protocol/errors.ts';
import type { Untimed } from '../trace/trace.ts';
import { isAction } from '../format/actions.ts';
import { ACTIONS, type Parameters } from './actions.ts';
import { FollowedCalls } from './followed-calls.ts';
import type { MediaSight } from './media-sight.ts';
import { ObservedDevice } from './observed-device.ts';
import { readCall } from './read-call.ts';

const APP_ID = 'ringback-demo';
const LISTENER = 'scenario';

export interface ActorOptions<P extends Platform> {
  /** `alice`, or `bob.phone`. */
  readonly name: string;
  readonly user: string;
  readonly platform: P;
  readonly apiHost: string;
  readonly websocketHost: string;
  readonly note: (event: Untimed) => void;
  /** What comes in of the other side's media, where the world can tell. */
  readonly media?: MediaSight;
  /** Milliseconds, in place of the library's own. */
  readonly timers: { readonly ring?: number; readonly connection?: number };
}

/** A client of the library, what its user does with it, and what it tells them. */
export class Actor<P extends Platform = Platform> {
  readonly name: string;
  readonly platform: P;
  readonly client: Client;
  readonly #user: string;
  readonly #note: (event: Untimed) => void;
  readonly #media: MediaSight | undefined;
  readonly #device: ObservedDevice;
  readonly #calls: FollowedCalls;

  constructor({ name, user, platform, apiHost, websocketHost, note, media, timers }: ActorOptions<P>) {
    this.name = name;
    this.platform = platform;
    this.#user = user;
    this.#note = note;
    this.#media = media;
    this.#device = new ObservedDevice(name, platform, note);
    this.#calls = new FollowedCalls(name, note);
    this.client = new Client(this.#device.ports, {
      defaultApiHost: apiHost,
      defaultWebsocketHost: websocketHost,
      consoleLevel: 'DEBUG',
    });
    this.client.init(APP_ID);
    if (timers.ring !== undefined) this.client.setRingingTimeout(timers.ring / 1_000);
    if (timers.connection !== undefined) this.client.setCallConnectionTimeout(timers.connection / 1_000);
    this.client.addListener(LISTENER, { onRinging: (call) => this.#calls.rang(call) });
  }

  async signIn(): Promise<void> {
    await this.client.authenticate({ userId: this.#user });
    await this.client.connectWebSocket();
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
        return this.client.getOngoingCallCount();
      case 'ws':
        return this.#device.channel;
      case 'sound':
        return this.#device.looping?.toLowerCase() ?? 'none';
      case 'audio':
        return what === 'tone' ? this.#media?.tone : undefined;
      case 'video':
        return what === 'fps' || what === 'marker' ? this.#media?.[what] : undefined;
      case 'errors':
        return [...errors];
      case 'told':
        return what === undefined ? [...told] : told.filter((name) => name === what).length;
      case 'user':
        return this.client.currentUser?.userId ?? 'none';
      case 'tracks':
        return this.#device.liveTracks;
      case 'page':
        return this.platform.page.state;
      default:
        return undefined;
    }
  }

  /** @throws ActionImpossible when there is no such action, or nothing to do it with. */
  act(action: string, parameters: Parameters): Acted {
    if (!isAction(action))
      throw new ActionImpossible(`there is no action ${action}: they are ${Object.keys(ACTIONS).join(', ')}`);
    try {
      const acting = { client: this.client, calls: this.#calls, signIn: () => this.signIn() };
      const acted = ACTIONS[action](acting, parameters);
      // What becomes of a dial its callback says.
      if (action !== 'dial') acted.done?.catch((error: unknown) => this.#noteRefusal(error));
      return acted;
    } catch (error) {
      this.#noteRefusal(error);
      throw error;
    }
  }

  #noteRefusal(error: unknown): void {
    if (error instanceof CallError)
      this.#note({ kind: 'error', device: this.name, code: error.code, message: error.message });
  }
}
