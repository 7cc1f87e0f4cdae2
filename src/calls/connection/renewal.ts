import { CallError, ErrorCode } from '../../protocol/errors.ts';
import type { LoginAnswer } from '../../protocol/http.ts';
import { TIMES } from '../../protocol/limits.ts';
import type { Logger } from '../logging/log.ts';
import type { Clock, Timer } from '../../common/clock.ts';
import { channelPolicy, type RetryPolicy } from '../realtime/retry-policy.ts';
import { RefusedRequest } from '../rest/rest-client.ts';

export interface RenewalOptions {
  readonly clock: Pick<Clock, 'now' | 'after'>;
  readonly random: () => number;
  readonly log: Pick<Logger, 'info' | 'error'>;
  /** Returns whether a call waits for the session. */
  readonly isUrgent: () => boolean;
  /** Signs in again with the credentials of `authenticate`. */
  readonly login: () => Promise<LoginAnswer>;
  /** Uses the new session. */
  readonly renewed: (sessionToken: string) => void;
  /** Opens the channel with the latest session. Rejects as {@link Channel.connect} does. */
  readonly connect: () => Promise<void>;
  /** Runs when the exchange refuses the user's credentials. */
  readonly lost: () => void;
}

/** The statuses by which the exchange refuses a login for good. Any other failure may pass. */
const FINAL = [401, 403];

/**
 * Signs in again when the exchange refuses the session (ADR 0004, ADR 0024), once for each refusal. A failed sign-in
 * that is not a refusal is retried as the channel is (D07). So is a session that is refused as soon as it is new.
 */
export class Renewal {
  readonly #options: RenewalOptions;
  readonly #policy: RetryPolicy;
  #tries = 0;
  /** When the last sign-in gave a session. */
  #renewedAt = -Infinity;
  #retry: Timer | null = null;
  /** The number of the present renewal, which distinguishes it from cancelled ones. */
  #round = 0;
  /** The login that is under way. It resolves to whether it gave a session. */
  #login: Promise<boolean> | null = null;
  /** The login that is under way, and the opening of the channel after it. */
  #running: Promise<void> | null = null;

  constructor(options: RenewalOptions) {
    this.#options = options;
    this.#policy = channelPolicy(options.random, options.isUrgent);
  }

  /**
   * Signs in after the exchange refused the session. Resolves to whether there is a new session. Resolves to false at
   * once when the next try is due later.
   */
  begin(): Promise<boolean> {
    if (this.#login) return this.#login;
    if (this.#retry) return Promise.resolve(false);
    if (this.#isFresh()) {
      this.#later();
      return Promise.resolve(false);
    }
    this.#tries = 0;
    void this.#run();
    return this.#login ?? Promise.resolve(false);
  }

  /**
   * Signs in as {@link begin} does, without the wait for the next try, since a request needs the session. A session
   * that is refused as soon as it is new still waits.
   */
  beginNow(): Promise<boolean> {
    if (this.#retry && !this.#isFresh()) void this.#run();
    return this.begin();
  }

  /**
   * Returns the outcome of the renewal under way. Null without one. Settles at once when the renewal waits for its next
   * try. Resolves without a channel when it is cancelled meanwhile.
   *
   * @throws CallError `USER_NOT_AUTHENTICATED` when the user is refused. `ERR_WEBSOCKET_CONNECTION_FAILED` when the
   *   exchange cannot be reached now. Tries continue.
   */
  now(): Promise<void> | null {
    return this.#retry ? this.#run() : this.#running;
  }

  /** Stops: no user is authenticated any more, or another login gave a session. */
  cancel(): void {
    this.#round += 1;
    this.#retry?.cancel();
    this.#retry = null;
    this.#login = null;
    this.#running = null;
    this.#renewedAt = -Infinity;
  }

  #run(): Promise<void> {
    this.#retry?.cancel();
    this.#retry = null;
    const round = this.#round;
    const signedIn = this.#signIn(round);
    const login = signedIn.then(
      () => true,
      () => false,
    );
    this.#login = login;
    void login.then(() => {
      if (this.#login === login) this.#login = null;
    });
    const running = signedIn
      .then(() => (round === this.#round ? this.#options.connect() : undefined))
      .catch((cause: unknown) => {
        // The refusal of a new session does not refuse the user: tries continue.
        throw this.#retry || this.#login ? new CallError(ErrorCode.ERR_WEBSOCKET_CONNECTION_FAILED, { cause }) : cause;
      })
      .finally(() => {
        if (this.#running === running) this.#running = null;
      });
    // A caller of `now` gets the failure. Usually there is none.
    running.catch(() => undefined);
    this.#running = running;
    return running;
  }

  async #signIn(round: number): Promise<void> {
    const { clock, log, login, renewed, lost } = this.#options;
    let token: string;
    try {
      token = (await login()).sbcall_session_token;
    } catch (cause) {
      if (round !== this.#round) return;
      if (!(cause instanceof RefusedRequest && FINAL.includes(cause.status))) {
        this.#later();
        throw new CallError(ErrorCode.ERR_WEBSOCKET_CONNECTION_FAILED, { cause });
      }
      log.error('signing in again was refused', { error: cause });
      lost();
      throw new CallError(ErrorCode.USER_NOT_AUTHENTICATED, { cause });
    }
    if (round !== this.#round) return;
    this.#renewedAt = clock.now();
    log.info('signed in again');
    renewed(token);
  }

  /** Returns whether the session is newer than the first backoff. */
  #isFresh(): boolean {
    return this.#options.clock.now() - this.#renewedAt < TIMES.channelBackoffMs[0];
  }

  #later(): void {
    this.#retry = this.#options.clock.after(this.#policy.waitBefore(this.#tries) ?? 0, () => void this.#run());
    this.#tries += 1;
  }
}
