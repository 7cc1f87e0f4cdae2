import * as v from 'valibot';
import type { NodeLink } from '../../cluster/node-link.ts';
import type { ExchangeUser } from '../../exchange/directory/users.ts';
import type { CallingService } from '../calling-service.ts';
import type { Caller } from './accounts.ts';

interface Dependencies {
  readonly calling: Pick<CallingService, 'addUser'>;
  readonly portraitUrl: (uId: string) => string;
  /** The other nodes. Undefined without a cluster. */
  readonly link?: Pick<NodeLink, 'broadcast' | 'receive'> | undefined;
}

/** The most users whose last announcement a node remembers, so that it does not repeat it to the other nodes. */
const REMEMBERED = 10_000;

const callerElsewhere = v.object({ user_id: v.string(), nickname: v.string(), profile_url: v.string() });

/** The users of the calling service, as the product knows them. Each node of a cluster has its own copy. */
export class Callers {
  readonly #with: Dependencies;
  /** The last announcement of each user to the other nodes. */
  readonly #announced = new Map<string, string>();
  readonly #stop: (() => void) | undefined;

  constructor(dependencies: Dependencies) {
    this.#with = dependencies;
    this.#stop = dependencies.link?.receive('product caller', (message) => {
      if (!v.is(callerElsewhere, message)) return;
      // Another node may have changed the user since this one announced the user.
      this.#announced.delete(message.user_id);
      dependencies.calling.addUser(message);
    });
  }

  /** Adds a user to the calling service of this node, or replaces the user. */
  add(caller: Caller): void {
    this.#with.calling.addUser(this.#userOf(caller));
  }

  /** Adds a user to the calling service of every node, or replaces the user. */
  announce(caller: Caller): void {
    this.add(caller);
    const { link } = this.#with;
    if (!link) return;
    const user = this.#userOf(caller);
    const text = JSON.stringify(user);
    if (this.#announced.get(caller.uId) === text) return;
    this.#announced.set(caller.uId, text);
    for (const oldest of this.#announced.keys()) {
      if (this.#announced.size <= REMEMBERED) break;
      this.#announced.delete(oldest);
    }
    link.broadcast('product caller', user);
  }

  /** Forgets a user who left. */
  forget(uId: string): void {
    this.#announced.delete(uId);
  }

  dispose(): void {
    this.#stop?.();
  }

  #userOf({ uId, nickname, profileUrl = this.#with.portraitUrl(uId) }: Caller): ExchangeUser {
    return { user_id: uId, nickname, profile_url: profileUrl };
  }
}
