/** Names for the clients of a recording: the name of the user, with a suffix for further clients of the same user. */
import { actorName, freeName } from '../scenario/infer/recorded-users.ts';

export class Clients {
  /** The name of each client, by client id. */
  readonly #names = new Map<string, string>();
  /** The user id behind each actor name. */
  readonly #actors = new Map<string, string>();
  /** The client that holds each name now. A client without a channel loses it to the next client of its user. */
  readonly #holders = new Map<string, string>();
  #unknown = 0;

  get count(): number {
    return this.#names.size;
  }

  /**
   * Names a client after its user. The first client gets the user's name, further clients at the same time are its
   * devices.
   */
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

  /** Returns the name of a client. A client that signed in before the recording began gets a generated name. */
  nameOf(clientId: string): string {
    const known = this.#names.get(clientId);
    const user = this.#actors.get(known?.split('.')[0] ?? '');
    // Another client may have taken the name meanwhile.
    if (user !== undefined) return this.signIn(clientId, user);
    if (known !== undefined) return known;
    this.#unknown += 1;
    return this.#give(clientId, freeName(`client${this.#unknown}`, new Set(this.#holders.keys())));
  }

  /** Records that the client's channel closed: the next client of its user may take over its name. */
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
