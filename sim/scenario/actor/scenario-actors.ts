import { deviceNames } from '../format/read-scenario.ts';
import type { Scenario } from '../format/tree.ts';
import { type Acted, ActionImpossible, type Parameters } from '../run/world.ts';

/** A user at one device, in any kind of world. */
interface DeviceActor {
  /** The name of the device: `alice`, or `bob.phone`. */
  readonly name: string;
  /** Returns the value at a path behind the user's name. */
  read(path: readonly string[]): unknown;
  act(action: string, parameters: Parameters): Acted | Promise<Acted>;
}

/** The users of a scenario, with one actor for each device. */
export class ScenarioActors<A extends DeviceActor> {
  readonly #users: Scenario['actors'];
  readonly #actors = new Map<string, A>();

  constructor(users: Scenario['actors'], make: (name: string, user: string) => A) {
    this.#users = users;
    for (const [own, { user, devices }] of Object.entries(users)) {
      for (const device of devices ?? [undefined]) {
        const name = device === undefined ? own : `${own}.${device}`;
        this.#actors.set(name, make(name, user));
      }
    }
  }

  get all(): readonly A[] {
    return [...this.#actors.values()];
  }

  /** The devices that are signed in when the story begins. */
  get online(): readonly A[] {
    return this.all.filter(({ name }) => this.#users[name.split('.')[0] ?? '']?.online !== false);
  }

  /** Returns all devices of a user, or the one device of this name. Without a name: all devices. */
  devicesOf(name?: string): readonly A[] {
    if (name === undefined) return this.all;
    return this.all.filter((actor) => actor.name === name || actor.name.startsWith(`${name}.`));
  }

  /** Returns the value at a path: `alice.call.state`, `bob.phone.sound`. */
  read(path: readonly string[]): unknown {
    const [first = '', second = ''] = path;
    const device = this.#actors.get(`${first}.${second}`);
    return device ? device.read(path.slice(2)) : this.#actors.get(first)?.read(path.slice(1));
  }

  /**
   * Performs an action. @throws ActionImpossible when the name is not one device's, or the action cannot be tried.
   */
  act(name: string, action: string, parameters: Parameters): Acted | Promise<Acted> {
    const actor = this.#actors.get(name);
    if (actor) return actor.act(action, parameters);
    const device = deviceNames(this.#users).find((one) => one.startsWith(`${name}.`)) ?? name;
    throw new ActionImpossible(`${name} has several devices: name one, like ${device}`);
  }
}
