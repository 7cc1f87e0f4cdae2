import type { Log } from '../exchange/logging/log.ts';
import { RingingDevice, type DoorbellOptions } from './ringing-device.ts';
import { ANYBODY, YOU, type Reaction, type Script } from './format/tree.ts';

export interface CastOptions extends Omit<DoorbellOptions, 'userId' | 'rang'> {
  readonly script: Pick<Script, 'people'>;
  /** Everybody there is, in the order in which somebody is chosen. */
  readonly userIds: readonly string[];
  readonly log: Log;
  readonly rang: (userId: string, callId: string) => void;
}

/** Who is simulated: everybody the script is about, but for those whom somebody signs in as. */
export class Cast {
  readonly #options: CastOptions;
  readonly #bells = new Map<string, RingingDevice>();
  readonly #clients = new Set<string>();

  constructor(options: CastOptions) {
    this.#options = options;
    for (const userId of options.userIds) if (this.#entryOf(userId)) this.#hang(userId);
  }

  /** What somebody does: as who they are, as another device of a client's user, or as anybody. */
  reactionsOf(userId: string): readonly Reaction[] {
    return this.#entryOf(userId) ?? [];
  }

  isSimulated(userId: string): boolean {
    return this.#bells.has(userId) && !this.#clients.has(userId);
  }

  /** Those who call a client as soon as it has come, each with how. */
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

  /** A client signs in as somebody: from now on they are that client's. */
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
    bell.open().catch((error: unknown) => log.error('somebody simulated cannot sign in', { user: userId, error }));
  }
}
