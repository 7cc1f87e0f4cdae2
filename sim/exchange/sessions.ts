import type { Clock, Ids } from './ports.ts';

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
  readonly expiresAt: number;
}

/** Session tokens, each bound to a user and a client (S08). They live here alone, so that they can be revoked. */
export class Sessions {
  readonly #sessions = new Map<string, Session>();
  /** The token of each device, by its key. */
  readonly #tokens = new Map<string, string>();
  readonly #clock: Pick<Clock, 'now'>;
  readonly #ids: Pick<Ids, 'token'>;
  readonly #lifeMs: number;

  constructor(clock: Pick<Clock, 'now'>, ids: Pick<Ids, 'token'>, lifeMs: number) {
    this.#clock = clock;
    this.#ids = ids;
    this.#lifeMs = lifeMs;
  }

  /** Opens a session; the one this client had before ends. */
  open({ userId, clientId }: DeviceId, accessToken: string | null): string {
    for (const [token, session] of this.#sessions) {
      const isReplaced = session.userId === userId && session.clientId === clientId;
      if (isReplaced || session.expiresAt <= this.#clock.now()) this.#forget(token, session);
    }
    const token = this.#ids.token();
    this.#tokens.set(deviceKey({ userId, clientId }), token);
    this.#sessions.set(token, { userId, clientId, accessToken, expiresAt: this.#clock.now() + this.#lifeMs });
    return token;
  }

  /** Whose session it is; undefined when it is nobody's, has expired, or is used from another client than it was given to. */
  find(token: string, clientId: string): DeviceId | undefined {
    const session = this.#sessions.get(token);
    if (!session || session.clientId !== clientId || session.expiresAt <= this.#clock.now()) return undefined;
    return { userId: session.userId, clientId: session.clientId };
  }

  /** The token of the device's session; undefined where it has none. */
  tokenOf(device: DeviceId): string | undefined {
    return this.#tokens.get(deviceKey(device));
  }

  #forget(token: string, session: Session): void {
    this.#sessions.delete(token);
    this.#tokens.delete(deviceKey(session));
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
    const ended = [...this.#sessions].filter(
      ([, session]) => session.userId === userId && (accessToken === undefined || session.accessToken === accessToken),
    );
    for (const [token, session] of ended) this.#forget(token, session);
    return ended.map(([, { clientId }]) => ({ userId, clientId }));
  }
}
