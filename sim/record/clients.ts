/** Names for the clients of a recording: by their users, and those of one user apart. */
import { actorName, freeName } from '../scenario/infer/actor-name.ts';

export class Clients {
  /** The name of each client, by its id. */
  readonly #names = new Map<string, string>();
  /** The user whom each name stands for, by the part before the device. */
  readonly #actors = new Map<string, string>();
  /** The client that has a name now; without a channel it loses it to the next of its user. */
  readonly #holders = new Map<string, string>();
  #unknown = 0;

  get count(): number {
    return this.#names.size;
  }

  /** A client signs in as this user. The first is called as its user is, further ones at the same time are its devices. */
  signIn(clientId: string, userId: string): string {
    const known = this.#names.get(clientId);
    const actor = this.#actorOf(userId);
    if (known !== undefined && known.split('.')[0] === actor && this.#isFreeFor(known, clientId))
      return this.#give(clientId, known);
    for (let count = 1; ; count += 1) {
      const name = count === 1 ? actor : `${actor}.device${count}`;
      if (this.#isFreeFor(name, clientId)) return this.#give(clientId, name);
    }
  }

  /** The name of a client; one that signed in before the recording began gets one of its own. */
  nameOf(clientId: string): string {
    const known = this.#names.get(clientId);
    const user = this.#actors.get(known?.split('.')[0] ?? '');
    // Meanwhile another may have its name.
    if (user !== undefined) return this.signIn(clientId, user);
    if (known !== undefined) return known;
    this.#unknown += 1;
    return this.#give(clientId, freeName(`client${this.#unknown}`, new Set(this.#holders.keys())));
  }

  /** The client's channel is closed: another of its user may be the one that follows it. */
  left(clientId: string): void {
    for (const [name, holder] of this.#holders) if (holder === clientId) this.#holders.delete(name);
  }

  #isFreeFor(name: string, clientId: string): boolean {
    const holder = this.#holders.get(name);
    return holder === undefined || holder === clientId;
  }

  #give(clientId: string, name: string): string {
    this.#names.set(clientId, name);
    this.#holders.set(name, clientId);
    return name;
  }

  #actorOf(userId: string): string {
    for (const [actor, user] of this.#actors) if (user === userId) return actor;
    const actor = freeName(actorName(userId), new Set(this.#actors.keys()));
    this.#actors.set(actor, userId);
    return actor;
  }
}
