/** A user whose device is a platform. It depends on the library's ports only, not on the kind of world. */
import { createClient, type Client } from '../../../src/calls/client/client.ts';
import type { Platform } from '../../../src/calls/platform/platform.ts';
import type { Acted, Parameters } from '../run/world.ts';
import type { Untimed } from '../../../src/trace/events.ts';
import { Participations } from './participations.ts';
import type { MediaMeter, ReceivedMedia } from './received-media.ts';
import { ObservedDevice } from './observed-device.ts';
import { Person, type PersonTimers } from './person.ts';
import { loadedParts } from '../../../src/calls/client/loaded-parts.ts';

const APP_ID = 'ringback-demo';

export interface ActorOptions<P extends Platform> {
  /** The name of the device: `alice`, or `bob.phone`. */
  readonly name: string;
  readonly user: string;
  readonly platform: P;
  readonly apiHost: string;
  readonly websocketHost: string;
  readonly note: (event: Untimed) => void;
  /** Measures the received media of each connection, if the world supports it. */
  readonly media?: MediaMeter;
  readonly timers: PersonTimers;
}

/** A client of the library, with the actions of its user and the events it gets. */
export class Actor<P extends Platform = Platform> {
  readonly name: string;
  readonly platform: P;
  readonly client: Client;
  readonly #person: Person;

  constructor({ name, user, platform, apiHost, websocketHost, note, media, timers }: ActorOptions<P>) {
    this.name = name;
    this.platform = platform;
    const device = new ObservedDevice(name, platform, note);
    this.client = createClient(device.ports, {
      defaultApiHost: apiHost,
      defaultWebsocketHost: websocketHost,
      consoleLevel: 'DEBUG',
      parts: loadedParts(),
    });
    this.client.init(APP_ID);
    const participations = new Participations(name, note);
    this.#person = new Person({ name, user, library: this.client, device, participations, note, media, timers });
  }

  /** The media that the current call receives. Undefined in a world that does not measure media. */
  get received(): ReceivedMedia | undefined {
    return this.#person.received;
  }

  signIn(): Promise<void> {
    return this.#person.signIn();
  }

  /** Returns the value at a path behind the user's name. */
  read(path: readonly string[]): unknown {
    return this.#person.read(path);
  }

  /** Performs an action. @throws ActionImpossible when the action does not exist, or cannot be tried. */
  act(action: string, parameters: Parameters): Acted {
    return this.#person.act(action, parameters);
  }
}
