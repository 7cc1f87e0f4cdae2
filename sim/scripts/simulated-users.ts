import type { Log } from '../exchange/logging/log.ts';
import { RingingDevice, type DoorbellOptions } from './ringing-device.ts';
import { ANYBODY, YOU, type Reaction, type Script } from './format/tree.ts';

export interface SimulatedUsersOptions extends Omit<DoorbellOptions, 'userId' | 'rang'> {
  readonly script: Pick<Script, 'people'>;
  /** The ids of all users, in the order in which callers and callees are chosen. */
  readonly userIds: readonly string[];
  readonly log: Log;
  readonly rang: (userId: string, callId: string) => void;
}

/** The simulated users: all users of the script, except those that a client signs in as. */
export class SimulatedUsers {
  readonly #options: SimulatedUsersOptions;
  readonly #bells = new Map<string, RingingDevice>();
  readonly #clients = new Set<string>();

  constructor(options: SimulatedUsersOptions) {
    this.#options = options;
    for (const userId of options.userIds) if (this.#entryOf(userId)) this.#hang(userId);
  }

  /**
   * Returns the reactions of a user: by the user's name, as another device of a client's user, or those of any user.
   */
  reactionsOf(userId: string): readonly Reaction[] {
    return this.#entryOf(userId) ?? [];
  }

  isSimulated(userId: string): boolean {
    return this.#bells.has(userId) && !this.#clients.has(userId);
  }

  /** Returns the users who call a client when it connects, each with the way of the call. */
  callersOf(
    clientUserId: string,
  ): readonly { readonly userId: string; readonly reaction: Reaction & { on: 'online' } }[] {
    const { script, userIds } = this.#options;
    return Object.entries(script.people).flatMap(([entry, reactions]) => {
      const userId =
        entry === ANYBODY
          ? userIds.find((one) => !this.#clients.has(one) && !Object.hasOwn(script.people, one))
          : entry;
      if (userId === undefined || userId === clientUserId || this.#clients.has(userId)) return [];
      return reactions.flatMap((reaction) => (reaction.on === 'online' ? { userId, reaction } : []));
    });
  }

  /** Records that a client signed in as this user: the user is no longer simulated. */
  takeOver(userId: string): void {
    if (this.#clients.has(userId)) return;
    this.#clients.add(userId);
    this.#bells.get(userId)?.close();
    this.#bells.delete(userId);
    if (this.#entryOf(userId)) this.#hang(userId);
  }

  decline(userId: string, callId: string): void {
    this.#bells.get(userId)?.decline(callId);
  }

  close(): void {
    for (const bell of this.#bells.values()) bell.close();
    this.#bells.clear();
  }

  #entryOf(userId: string): readonly Reaction[] | undefined {
    const { people } = this.#options.script;
    if (this.#clients.has(userId)) return people[YOU];
    return Object.hasOwn(people, userId) ? people[userId] : people[ANYBODY];
  }

  #hang(userId: string): void {
    const { rang, log, ...options } = this.#options;
    const bell = new RingingDevice({ ...options, userId, rang: (callId) => rang(userId, callId) });
    this.#bells.set(userId, bell);
    bell.open().catch((error: unknown) => log.error('a simulated user cannot sign in', { user: userId, error }));
  }
}
