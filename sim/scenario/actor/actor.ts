/** A person whose device is a platform: nothing here knows more of its world than the library's own ports. */
import { Client } from '../../../src/calls/client/client.ts';
import type { Platform } from '../../../src/calls/platform/platform.ts';
import type { Acted } from '../run/world.ts';
import type { Untimed } from '../trace/trace.ts';
import type { Parameters } from './actions.ts';
import { FollowedCalls } from './followed-calls.ts';
import type { MediaSights } from './media-sight.ts';
import { ObservedDevice } from './observed-device.ts';
import { Person, type PersonTimers } from './person.ts';

const APP_ID = 'ringback-demo';

export interface ActorOptions<P extends Platform> {
  /** `alice`, or `bob.phone`. */
  readonly name: string;
  readonly user: string;
  readonly platform: P;
  readonly apiHost: string;
  readonly websocketHost: string;
  readonly note: (event: Untimed) => void;
  /** The media that is received through each connection, where the world can measure it. */
  readonly media?: MediaSights;
  readonly timers: PersonTimers;
}

/** A client of the library, what its user does with it, and what it tells them. */
export class Actor<P extends Platform = Platform> {
  readonly name: string;
  readonly platform: P;
  readonly client: Client;
  readonly #person: Person;

  constructor({ name, user, platform, apiHost, websocketHost, note, media, timers }: ActorOptions<P>) {
    this.name = name;
    this.platform = platform;
    const device = new ObservedDevice(name, platform, note);
    this.client = new Client(device.ports, {
      defaultApiHost: apiHost,
      defaultWebsocketHost: websocketHost,
      consoleLevel: 'DEBUG',
    });
    this.client.init(APP_ID);
    const calls = new FollowedCalls(name, note);
    this.#person = new Person({ name, user, library: this.client, device, calls, note, media, timers });
  }

  signIn(): Promise<void> {
    return this.#person.signIn();
  }

  /** What is to be seen of this person, by its path behind their name. */
  read(path: readonly string[]): unknown {
    return this.#person.read(path);
  }

  /** @throws ActionImpossible when there is no such action, or nothing to do it with. */
  act(action: string, parameters: Parameters): Acted {
    return this.#person.act(action, parameters);
  }
}
