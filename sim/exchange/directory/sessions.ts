import type { Clock, Ids } from '../ports.ts';

/** A device: who, and which of their clients. */
export interface DeviceId {
  readonly userId: string;
  readonly clientId: string;
}

/** A device as one text, for maps. */
export const deviceKey = ({ userId, clientId }: DeviceId): string => `${userId}\n${clientId}`;

/** A user who is signed in, and what for: an access token may have opened several sessions. */
export interface SignedIn {
  readonly userId: string;
  readonly accessToken: string;
}

interface Session extends DeviceId {
  /** What it was opened with; null where nothing was asked for. */
  readonly accessToken: string | null;
  /** By the monotonic clock. */
  usedAt: number;
}

/**
 * Session tokens, each bound to a user and a client (S08). They live here alone, so that they can be revoked. A session
 * lasts as long as its client uses it, and `lifeMs` beyond: each frame and each request uses it (ADR 0024).
 */
export class Sessions {
  /** By token, the least recently used first. Each lives equally long after its last use, so that one expires first. */
  readonly #sessions = new Map<string, Session>();
  /** The token of each client of a user, the least recently used first. */
  readonly #tokens = new Map<string, Map<string, string>>();
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #ids: Pick<Ids, 'token'>;
  readonly #lifeMs: number;
  readonly #mostPerUser: number;

  /** @param mostPerUser - sessions of one user: a further one ends the least recently used. */
  constructor(clock: Pick<Clock, 'monotonic'>, ids: Pick<Ids, 'token'>, lifeMs: number, mostPerUser: number) {
    this.#clock = clock;
    this.#ids = ids;
    this.#lifeMs = lifeMs;
    this.#mostPerUser = mostPerUser;
  }

  /** Opens a session; the one this client had before ends. */
  open({ userId, clientId }: DeviceId, accessToken: string | null): string {
    this.#forgetExpired();
    const replaced = this.#tokens.get(userId)?.get(clientId);
    if (replaced !== undefined) this.#forget(replaced);
    const mine = this.#tokens.get(userId) ?? new Map<string, string>();
    for (const oldest of mine.values()) {
      if (mine.size < this.#mostPerUser) break;
      this.#forget(oldest);
    }
    const token = this.#ids.token();
    this.#tokens.set(userId, mine.set(clientId, token));
    this.#sessions.set(token, { userId, clientId, accessToken, usedAt: this.#clock.monotonic() });
    return token;
  }

  /**
   * Returns whose session it is, and notes that it was used. Undefined for an unknown token, for a session that was not used
   * for its life, and for another client than the one it was given to.
   */
  find(token: string, clientId: string): DeviceId | undefined {
    const session = this.#sessions.get(token);
    if (!session || session.clientId !== clientId || this.#isOver(session)) return undefined;
    const { userId } = session;
    session.usedAt = this.#clock.monotonic();
    moveToEnd(this.#sessions, token, session);
    const mine = this.#tokens.get(userId);
    if (mine?.get(clientId) === token) moveToEnd(mine, clientId, token);
    return { userId, clientId };
  }

  /** The token of the device's session; undefined where it has none. */
  tokenOf({ userId, clientId }: DeviceId): string | undefined {
    return this.#tokens.get(userId)?.get(clientId);
  }

  #forgetExpired(): void {
    for (const [token, session] of this.#sessions) {
      if (!this.#isOver(session)) return;
      this.#forget(token);
    }
  }

  #isOver({ usedAt }: Session): boolean {
    return this.#clock.monotonic() - usedAt >= this.#lifeMs;
  }

  #forget(token: string): void {
    const session = this.#sessions.get(token);
    if (!session) return;
    this.#sessions.delete(token);
    const { userId, clientId } = session;
    const others = this.#tokens.get(userId);
    if (others?.get(clientId) === token) others.delete(clientId);
    if (others?.size === 0) this.#tokens.delete(userId);
  }

  /** What a session was opened with; null where nothing was asked for, or there is no such session. */
  openedWith(token: string): string | null {
    return this.#sessions.get(token)?.accessToken ?? null;
  }

  /** Whose sessions were opened with access tokens, and with which. */
  signedIn(): SignedIn[] {
    return [...this.#sessions.values()].flatMap(({ userId, accessToken }) =>
      accessToken === null ? [] : [{ userId, accessToken }],
    );
  }

  /** Ends the sessions of a user: those that were opened with this access token, or all. Returns whose they were. */
  revoke(userId: string, accessToken?: string): DeviceId[] {
    const ended = [...(this.#tokens.get(userId) ?? [])].filter(
      ([, token]) => accessToken === undefined || this.openedWith(token) === accessToken,
    );
    for (const [, token] of ended) this.#forget(token);
    return ended.map(([clientId]) => ({ userId, clientId }));
  }
}

function moveToEnd<K, V>(map: Map<K, V>, key: K, value: V): void {
  map.delete(key);
  map.set(key, value);
}
