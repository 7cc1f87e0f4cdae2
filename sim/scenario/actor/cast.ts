import { deviceNames } from '../format/read-scenario.ts';
import type { Scenario } from '../format/tree.ts';
import { type Acted, ActionImpossible } from '../run/world.ts';
import type { Parameters } from './actions.ts';

/** A person at one device of theirs, wherever that is. */
interface Player {
  /** `alice`, or `bob.phone`. */
  readonly name: string;
  /** What is to be seen of them, by its path behind their name. */
  read(path: readonly string[]): unknown;
  act(action: string, parameters: Parameters): Acted | Promise<Acted>;
}

/** The people of a scenario, one player for each of their devices. */
export class Cast<P extends Player> {
  readonly #people: Scenario['actors'];
  readonly #actors = new Map<string, P>();

  constructor(people: Scenario['actors'], make: (name: string, user: string) => P) {
    this.#people = people;
    for (const [person, { user, devices }] of Object.entries(people)) {
      for (const device of devices ?? [undefined]) {
        const name = device === undefined ? person : `${person}.${device}`;
        this.#actors.set(name, make(name, user));
      }
    }
  }

  get all(): readonly P[] {
    return [...this.#actors.values()];
  }

  /** Those who are signed in when the story begins. */
  get online(): readonly P[] {
    return this.all.filter(({ name }) => this.#people[name.split('.')[0] ?? '']?.online !== false);
  }

  /** Every device of a person; the one device where the name is a device's; all there are, where no name is given. */
  devicesOf(name?: string): readonly P[] {
    if (name === undefined) return this.all;
    return this.all.filter((actor) => actor.name === name || actor.name.startsWith(`${name}.`));
  }

  /** What is to be seen under a path: `alice.call.state`, `bob.phone.sound`. */
  read(path: readonly string[]): unknown {
    const [first = '', second = ''] = path;
    const device = this.#actors.get(`${first}.${second}`);
    return device ? device.read(path.slice(2)) : this.#actors.get(first)?.read(path.slice(1));
  }

  /** @throws ActionImpossible where the name is no single device's, or the action cannot be tried. */
  act(name: string, action: string, parameters: Parameters): Acted | Promise<Acted> {
    const actor = this.#actors.get(name);
    if (actor) return actor.act(action, parameters);
    const device = deviceNames(this.#people).find((one) => one.startsWith(`${name}.`)) ?? name;
    throw new ActionImpossible(`${name} has several devices: name one, like ${device}`);
  }
}
