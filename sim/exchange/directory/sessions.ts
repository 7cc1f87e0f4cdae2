import type { Clock } from '../../../src/common/clock.ts';
import { joined } from '../../../src/common/joined.ts';
import type { Ids } from '../ports.ts';
import { wholeMs } from '../limits/whole-ms.ts';

/** A device: a user and one of the user's clients. */
export interface DeviceId {
  readonly userId: string;
  readonly clientId: string;
}

const keyOf = ({ userId, clientId }: DeviceId): string => `${userId}\n${clientId}`;

/** The device of a session. Each frame needs its key several times, and V8 keeps the hash of a text that stays. */
class SessionDevice implements DeviceId {
  readonly userId: string;
  readonly clientId: string;
  readonly #key: string;

  constructor(device: DeviceId) {
    this.userId = device.userId;
    this.clientId = device.clientId;
    this.#key = joined(keyOf(device));
  }

  static keyOf(device: SessionDevice): string {
    return device.#key;
  }
}

/** Returns a device as one text, for map keys. */
export const deviceKey = (device: DeviceId): string =>
  device instanceof SessionDevice ? SessionDevice.keyOf(device) : keyOf(device);

/** A signed-in user and the hash of an access token, which may have opened several sessions. */
export interface SignedIn {
  readonly userId: string;
  readonly access: string;
}

/** A session with its token. */
export interface HeldSession {
  readonly token: string;
  readonly device: DeviceId;
  /** The hash of the access token that opened the session. Null without one. */
  readonly access: string | null;
  /** When the session was opened, by the time of the cluster. Milliseconds. 0 when not recorded. */
  readonly openedAt: number;
}

interface Session extends Pick<HeldSession, 'device' | 'access' | 'openedAt'> {
  /** When the session was last used, by the monotonic clock. */
  usedAt: number;
  /** When the session was last placed behind all others. */
  placedAt: number;
}

/**
 * The share of its life after which a used session is placed behind all others. Each frame uses a session. A map that
 * changes with each frame makes garbage that reaches the old generation of V8.
 */
const PLACED_FOR = 0.01;

/**
 * The sessions of devices. Each frame asks it, so it answers at once: nodes that share sessions each keep a copy of
 * them.
 */
export interface SessionRegistry {
  /**
   * Opens a session, and ends the former one of this client. Nodes that share sessions resolve when each of them can
   * find the session. They reject when it cannot be stored, and the former session then stays.
   */
  open(device: DeviceId, access: string | null): string | Promise<string>;
  /**
   * Returns the device of a session, and marks the session as used. Undefined for an unknown or expired token, and for
   * another client than its owner.
   */
  find(token: string, clientId: string): DeviceId | undefined;
  /** Returns the token of the device's session. Undefined without one. */
  tokenOf(device: DeviceId): string | undefined;
  /** Returns the hash of the access token that opened a session. Null without one, or for an unknown session. */
  openedWith(token: string): string | null;
  /** Returns the users whose sessions were opened with access tokens, with the tokens. */
  signedIn(): SignedIn[];
  /**
   * Revokes the sessions of a user: those of the access token with this hash, or all. Returns their devices.
   *
   * @param endedAt - when they ended, by the time of the cluster. Sessions that were opened later stay. Default: all
   *   end.
   */
  revoke(userId: string, access?: string, endedAt?: number): DeviceId[];
  /**
   * Fetches the session of a token that this node does not have, so that {@link find} knows it. Null when nothing is to
   * be fetched. Rejects when the other nodes' sessions cannot be reached.
   */
  fetch?(token: string): Promise<void> | null;
}

/**
 * Session tokens in memory, each bound to a user and a client (S08). Only this object holds them, so that they can be revoked. A
 * session expires `lifeMs` after its last use. Each frame and each request uses it (ADR 0024).
 */
export class Sessions implements SessionRegistry {
  /**
   * The sessions by token, the least recently placed first. A session was last used at most `PLACED_FOR` of a life after it
   * was placed. So it is dropped at most that long after it has expired.
   */
  readonly #sessions = new Map<string, Session>();
  /** The token of each client of a user, the least recently used first. */
  readonly #tokens = new Map<string, Map<string, string>>();
  readonly #clock: Pick<Clock, 'now'>;
  readonly #ids: Pick<Ids, 'token'>;
  readonly #lifeMs: number;
  readonly #mostPerUser: number;

  /** @param mostPerUser - the most sessions of one user. A further one ends the least recently used. */
  constructor(clock: Pick<Clock, 'now'>, ids: Pick<Ids, 'token'>, lifeMs: number, mostPerUser: number) {
    this.#clock = clock;
    this.#ids = ids;
    this.#lifeMs = lifeMs;
    this.#mostPerUser = mostPerUser;
  }

  /** Returns the token of a session that is opened later. */
  newToken(): string {
    return this.#ids.token();
  }

  open(device: DeviceId, access: string | null): string {
    const token = this.newToken();
    this.take({ token, device, access, openedAt: 0 });
    return token;
  }

  /** Adds a session that has a token. It ends the former session of this client. */
  take({ token, device: { userId, clientId }, access, openedAt }: HeldSession): void {
    this.#forgetExpired();
    const replaced = this.#tokens.get(userId)?.get(clientId);
    if (replaced !== undefined) this.#forget(replaced);
    const mine = this.#tokens.get(userId) ?? new Map<string, string>();
    for (const oldest of mine.values()) {
      if (mine.size < this.#mostPerUser) break;
      this.#forget(oldest);
    }
    this.#tokens.set(userId, mine.set(clientId, token));
    const now = wholeMs(this.#clock);
    const device = new SessionDevice({ userId, clientId });
    this.#sessions.set(token, { device, access, openedAt, usedAt: now, placedAt: now });
  }

  /** Returns whether the session is here and has not expired. Does not mark it as used. */
  has(token: string): boolean {
    const session = this.#sessions.get(token);
    return session !== undefined && !this.#isOver(session);
  }

  /** Ends one session. */
  forget(token: string): void {
    this.#forget(token);
  }

  /** The sessions here, with their tokens. */
  get all(): HeldSession[] {
    return [...this.#sessions].map(([token, { device, access, openedAt }]) => ({ token, device, access, openedAt }));
  }

  find(token: string, clientId: string): DeviceId | undefined {
    const session = this.#sessions.get(token);
    const now = wholeMs(this.#clock);
    if (!session || session.device.clientId !== clientId || this.#isOver(session, now)) return undefined;
    session.usedAt = now;
    if (now - session.placedAt >= this.#lifeMs * PLACED_FOR) {
      session.placedAt = now;
      moveToEnd(this.#sessions, token, session);
    }
    const mine = this.#tokens.get(session.device.userId);
    // V8 makes a new table for a map that becomes empty.
    if (mine && mine.size > 1 && mine.get(clientId) === token) moveToEnd(mine, clientId, token);
    return session.device;
  }

  tokenOf({ userId, clientId }: DeviceId): string | undefined {
    return this.#tokens.get(userId)?.get(clientId);
  }

  #forgetExpired(): void {
    for (const [token, session] of this.#sessions) {
      if (!this.#isOver(session)) return;
      this.#forget(token);
    }
  }

  #isOver({ usedAt }: Session, now = wholeMs(this.#clock)): boolean {
    return now - usedAt >= this.#lifeMs;
  }

  #forget(token: string): void {
    const session = this.#sessions.get(token);
    if (!session) return;
    this.#sessions.delete(token);
    const { userId, clientId } = session.device;
    const others = this.#tokens.get(userId);
    if (others?.get(clientId) === token) others.delete(clientId);
    if (others?.size === 0) this.#tokens.delete(userId);
  }

  openedWith(token: string): string | null {
    return this.#sessions.get(token)?.access ?? null;
  }

  signedIn(): SignedIn[] {
    return [...this.#sessions.values()].flatMap(({ device: { userId }, access }) =>
      access === null ? [] : [{ userId, access }],
    );
  }

  revoke(userId: string, access?: string, endedAt = Infinity): DeviceId[] {
    const ended = [...(this.#tokens.get(userId) ?? [])].filter(([, token]) => {
      const session = this.#sessions.get(token);
      return session && session.openedAt <= endedAt && (access === undefined || session.access === access);
    });
    for (const [, token] of ended) this.#forget(token);
    return ended.map(([clientId]) => ({ userId, clientId }));
  }
}

function moveToEnd<K, V>(map: Map<K, V>, key: K, value: V): void {
  map.delete(key);
  map.set(key, value);
}
