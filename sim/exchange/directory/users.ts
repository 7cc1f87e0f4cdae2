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

/** Shared by all users without metadata. */
const NO_METADATA = Object.freeze({});

/** The users that the exchange knows, and which of them have ever logged in, also at a former exchange (ADR 0024). */
export class Users {
  /** The users as messages carry them. All calls of a user share one object, which never changes. */
  readonly #users = new Map<string, UserPayload>();
  readonly #authenticated = new Set<string>();

  constructor(users: Iterable<ExchangeUser>) {
    for (const user of users) this.add(user);
  }

  /** Adds a user, or replaces a known one. */
  add(user: ExchangeUser): void {
    const { user_id, nickname, profile_url, metadata, is_active = true } = user;
    this.#users.set(
      user_id,
      Object.freeze({
        user_id,
        nickname,
        profile_url,
        metadata: metadata ? Object.freeze({ ...metadata }) : NO_METADATA,
        is_active,
      }),
    );
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
    return this.#users.get(userId);
  }

  markAuthenticated(userId: string): void {
    this.#authenticated.add(userId);
  }

  hasAuthenticated(userId: string): boolean {
    return this.#authenticated.has(userId);
  }
}
