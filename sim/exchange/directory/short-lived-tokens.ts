import type { Clock } from '../../../src/common/clock.ts';
import { AgingMap } from '../limits/aging-map.ts';
import type { Ids } from '../ports.ts';
import { wholeMs } from '../limits/whole-ms.ts';
import type { DeviceId } from './sessions.ts';

/** A permission for one device to report once that one call reached it (S11). */
export interface Grant {
  readonly userId: string;
  /** Null: the first client of the user that uses it. */
  readonly clientId: string | null;
  readonly callId: string;
}

interface Issued extends Omit<Grant, 'clientId'> {
  /** When it expires, by the monotonic clock. */
  readonly expiresAt: number;
  /** The request that used it. Only the same request may use it again. */
  usedBy: string | null;
  clientId: string | null;
}

/** The short-lived tokens of dials, which allow a device one report without a session. */
export interface TokenIssuer {
  issue(grant: Grant): string;
  /** Returns whether the token was issued and has not expired. The exchange checks this before it reads the request. */
  isKnown(token: string): boolean;
  /**
   * Uses a token for a request about a call. Returns undefined when the token is unknown, expired, for another call, or
   * used already.
   *
   * @param clientId - the client that sends the request. It binds a token without a device.
   */
  use(
    token: string,
    callId: string,
    requestId: string,
    clientId: string | undefined,
  ): DeviceId | undefined | Promise<DeviceId | undefined>;
  /** Fetches a token that another node issued, so that {@link isKnown} knows it. Null when nothing is to be fetched. */
  fetch?(token: string): Promise<void> | null;
}

/** Short-lived tokens in memory. */
export class ShortLivedTokens implements TokenIssuer {
  /** All have at most the same life. The oldest are dropped first. */
  readonly #issued = new AgingMap<string, Issued>();
  readonly #clock: Pick<Clock, 'now'>;
  readonly #ids: Pick<Ids, 'token'>;
  readonly #lifeMs: number;

  constructor(clock: Pick<Clock, 'now'>, ids: Pick<Ids, 'token'>, lifeMs: number) {
    this.#clock = clock;
    this.#ids = ids;
    this.#lifeMs = lifeMs;
  }

  issue(grant: Grant): string {
    const token = this.#ids.token();
    this.take(token, grant, this.#lifeMs);
    return token;
  }

  /** Adds a token that another node issued. @param lifeMs - the rest of its life. */
  take(token: string, { userId, clientId, callId }: Grant, lifeMs: number): void {
    const now = wholeMs(this.#clock);
    this.#issued.dropOldest(({ expiresAt }) => expiresAt <= now);
    const expiresAt = now + Math.ceil(lifeMs);
    this.#issued.set(token, { userId, clientId, callId, expiresAt, usedBy: null });
  }

  isKnown(token: string): boolean {
    const issued = this.#issued.get(token);
    return issued !== undefined && issued.expiresAt > this.#clock.now();
  }

  use(token: string, callId: string, requestId: string, clientId: string | undefined): DeviceId | undefined {
    const issued = this.#issued.get(token);
    if (!issued || issued.callId !== callId || issued.expiresAt <= this.#clock.now()) return undefined;
    if (issued.usedBy !== null && issued.usedBy !== requestId) return undefined;
    const bound = issued.clientId ?? clientId;
    if (bound === undefined) return undefined;
    issued.clientId = bound;
    issued.usedBy = requestId;
    return { userId: issued.userId, clientId: bound };
  }
}
