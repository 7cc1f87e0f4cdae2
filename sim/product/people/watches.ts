import type { PushPayload } from '../../../src/protocol/product/push.ts';
import type { ProductParts } from '../parts.ts';
import { addPair } from './pairs.ts';
import type { Viewer } from './people.ts';

type Parts = Pick<ProductParts, 'database' | 'clock' | 'log' | 'presence' | 'people' | 'accounts'>;

/** Requests of users to be notified once when an absent or busy user is available again. */
export class Watches {
  readonly #parts: Parts;
  readonly #notify: (uId: string, payload: PushPayload) => Promise<void>;
  readonly #works = new Set<Promise<void>>();
  /**
   * The users with a request, in a database that no other server uses: presence changes with every call, and few users
   * are watched. Null before it is read.
   */
  #watched: Promise<Set<string>> | null = null;
  readonly #stop: () => void;

  constructor(parts: Parts, notify: (uId: string, payload: PushPayload) => Promise<void>) {
    this.#parts = parts;
    this.#notify = notify;
    this.#stop = parts.presence.onChange(({ u_id, presence }) => {
      if (presence === 'online') this.#onOnline(u_id);
    });
  }

  /** Adds a request. @throws Refusal `not_found` when the user may not meet this person. */
  async add(me: Viewer, uId: string): Promise<void> {
    const { people, database, clock } = this.#parts;
    await people.mustMeet(me, uId);
    await addPair(database, clock, 'ringback_watches', me.uId, uId);
    if (!database.isShared) (await this.#allWatched()).add(uId);
  }

  /** Resolves when every due notification is sent. */
  async settled(): Promise<void> {
    await Promise.all(this.#works);
  }

  dispose(): void {
    this.#stop();
  }

  #onOnline(uId: string): void {
    const work = this.#notifyWatchersOf(uId)
      .catch((error: unknown) => this.#parts.log.error('the watchers of a user were not notified', { error }))
      .finally(() => this.#works.delete(work));
    this.#works.add(work);
  }

  #allWatched(): Promise<Set<string>> {
    this.#watched ??= this.#readWatched().catch((error: unknown) => {
      this.#watched = null;
      throw error;
    });
    return this.#watched;
  }

  async #readWatched(): Promise<Set<string>> {
    const rows = await this.#parts.database.db.selectFrom('ringback_watches').select('other').distinct().execute();
    return new Set(rows.map(({ other }) => other));
  }

  async #notifyWatchersOf(uId: string): Promise<void> {
    const { database, accounts, people } = this.#parts;
    if (!database.isShared && !(await this.#allWatched()).delete(uId)) return;
    // The server that deletes the row sends the notification, since several servers see one arrival.
    const waiting = await database.db
      .deleteFrom('ringback_watches')
      .where('other', '=', uId)
      .returning('u_id')
      .execute()
      .catch((error: unknown) => {
        // The next arrival reads from the database which users have a request.
        this.#watched = null;
        throw error;
      });
    for (const { u_id } of waiting) {
      const watcher = await accounts.find(u_id);
      const [seen] = watcher ? await people.of(watcher, [uId]) : [];
      if (!seen) continue;
      await this.#notify(u_id, {
        type: 'ONLINE',
        name: seen.nickname,
        gift_name: '',
        coin: '',
        icon: seen.profile_url,
      });
    }
  }
}
