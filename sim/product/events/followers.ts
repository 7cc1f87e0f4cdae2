/** The most users that one user follows. The least recently shown ones are dropped. */
export const FOLLOWED = 500;

/** Which users follow which. A user follows the users that the pages of this user show. */
export class Followers {
  /** The followed users, the latest at the end, by follower. */
  readonly #followed = new Map<string, Set<string>>();
  /** The followers, by followed user. */
  readonly #followers = new Map<string, Set<string>>();

  /** Adds followed users. The user does not follow this user. */
  add(uId: string, others: Iterable<string>): void {
    const followed = this.#followed.get(uId) ?? new Set();
    this.#followed.set(uId, followed);
    for (const other of others) {
      if (other === uId) continue;
      followed.delete(other);
      followed.add(other);
      this.#followers.set(other, (this.#followers.get(other) ?? new Set()).add(uId));
    }
    for (const oldest of followed) {
      if (followed.size <= FOLLOWED) break;
      followed.delete(oldest);
      this.#unfollow(uId, oldest);
    }
  }

  /** Returns the users who follow this user. */
  of(uId: string): string[] {
    return [...(this.#followers.get(uId) ?? [])];
  }

  /** Returns the users that this user follows. */
  followedBy(uId: string): string[] {
    return [...(this.#followed.get(uId) ?? [])];
  }

  /** Removes all that a user follows. */
  forget(uId: string): void {
    for (const other of this.#followed.get(uId) ?? []) this.#unfollow(uId, other);
    this.#followed.delete(uId);
  }

  #unfollow(uId: string, other: string): void {
    const followers = this.#followers.get(other);
    followers?.delete(uId);
    if (followers?.size === 0) this.#followers.delete(other);
  }
}
