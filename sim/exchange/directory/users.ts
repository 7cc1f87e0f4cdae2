import type { UserPayload } from '../../../src/protocol/entities.ts';

/** A user who may call and be called. */
export interface ExchangeUser {
  readonly user_id: string;
  readonly nickname: string;
  readonly profile_url: string;
  readonly metadata?: Readonly<Record<string, string>>;
  /** False: the user may not log in. Default: true. */
  readonly is_active?: boolean;
}

/** The users that the exchange knows, and which of them have ever logged in, also at a former exchange (ADR 0024). */
export class Users {
  readonly #users = new Map<string, ExchangeUser>();
  readonly #authenticated = new Set<string>();

  constructor(users: Iterable<ExchangeUser>) {
    for (const user of users) this.add(user);
  }

  /** Adds a user, or replaces a known one. */
  add(user: ExchangeUser): void {
    this.#users.set(user.user_id, user);
  }

  remove(userId: string): void {
    this.#users.delete(userId);
    this.#authenticated.delete(userId);
  }

  has(userId: string): boolean {
    return this.#users.has(userId);
  }

  /** The users in the order in which they were added. */
  all(): Iterable<ExchangeUser> {
    return this.#users.values();
  }

  /** Returns the user as messages carry it (§3). Undefined for an unknown user. */
  payload(userId: string): UserPayload | undefined {
    const user = this.#users.get(userId);
    if (!user) return undefined;
    const { user_id, nickname, profile_url, metadata = {}, is_active = true } = user;
    return { user_id, nickname, profile_url, metadata: { ...metadata }, is_active };
  }

  markAuthenticated(userId: string): void {
    this.#authenticated.add(userId);
  }

  hasAuthenticated(userId: string): boolean {
    return this.#authenticated.has(userId);
  }
}
