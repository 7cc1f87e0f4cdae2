import type { Clock, Ids } from '../exchange/ports.ts';

interface SignIn {
  readonly uId: string;
  readonly expiresAt: number;
}

const LIFE_MS = 7 * 24 * 3_600_000;

/** Who is signed in to the product, and the access token each user has for the calling service. */
export class SignIns {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #ids: Pick<Ids, 'token'>;
  readonly #byToken = new Map<string, SignIn>();
  readonly #callingTokens = new Map<string, string>();

  constructor(clock: Pick<Clock, 'now'>, ids: Pick<Ids, 'token'>) {
    this.#clock = clock;
    this.#ids = ids;
  }

  /** Signs somebody in: the bearer token. */
  open(uId: string): string {
    // The oldest are first, and all live equally long.
    for (const [token, { expiresAt }] of this.#byToken) {
      if (expiresAt > this.#clock.now()) break;
      this.#byToken.delete(token);
    }
    const token = this.#ids.token();
    this.#byToken.set(token, { uId, expiresAt: this.#clock.now() + LIFE_MS });
    return token;
  }

  /** Whose token it is; undefined when nobody's, or expired. */
  find(token: string): string | undefined {
    const signIn = this.#byToken.get(token);
    return signIn && signIn.expiresAt > this.#clock.now() ? signIn.uId : undefined;
  }

  /** The token by which the calling service takes this user's logins. */
  callingToken(uId: string): string {
    const token = this.#callingTokens.get(uId) ?? this.#ids.token();
    this.#callingTokens.set(uId, token);
    return token;
  }

  isCallingToken(uId: string, token: string): boolean {
    return this.#callingTokens.get(uId) === token;
  }
}
