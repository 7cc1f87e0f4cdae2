import { CallError } from '../../protocol/errors.ts';
import type { LoginAnswer } from '../../protocol/http.ts';
import { TIMES } from '../../protocol/limits.ts';
import type { Logger } from '../logging/log.ts';
import type { Clock, Timer } from '../platform/clock.ts';
import { channelPolicy, type RetryPolicy } from '../realtime/retry-policy.ts';

export interface RenewalOptions {
  readonly clock: Pick<Clock, 'now' | 'after'>;
  readonly random: () => number;
  readonly log: Pick<Logger, 'info' | 'error'>;
  /** Signs in again with what `authenticate` was given. */
  readonly login: () => Promise<LoginAnswer>;
  /** Goes on with the new session. Rejects as {@link Channel.connect} does. */
  readonly connect: (sessionToken: string) => Promise<void>;
  /** The exchange does not let the user in any more. */
  readonly lost: () => void;
}

/** Nobody answered, or the exchange was not well, or too busy: asking again may help. */
const PASSING = [1800200, 1800203, 1800207, 1400999];

/**
 * Signs in again when the exchange does not take the session any more (ADR 0004): an exchange that was started anew has
 * forgotten its sessions. One sign-in a refusal; one that gets no answer is tried again as the channel is (D07); a session
 * that is refused as soon as it is new is lost.
 */
export class Renewal {
  readonly #options: RenewalOptions;
  readonly #policy: RetryPolicy;
  #tries = 0;
  /** Since when the session is that the last sign-in gave. */
  #renewedAt = -Infinity;
  #retry: Timer | null = null;
  /** Cancelled ones are told from the present one. */
  #round = 0;
  #running: Promise<void> | null = null;

  constructor(options: RenewalOptions) {
    this.#options = options;
    this.#policy = channelPolicy(options.random);
  }

  /** The exchange refused the session. */
  begin(): void {
    const { clock, lost } = this.#options;
    if (clock.now() - this.#renewedAt < TIMES.channelBackoffMs[0]) return lost();
    this.#tries = 0;
    void this.#run();
  }

  /**
   * The outcome of what is under way, at once if it waits for its next try; null when nothing is.
   *
   * @throws CallError 1800303 the user is not let in; 1800202 the exchange cannot be reached now, tries go on.
   */
  now(): Promise<void> | null {
    return this.#retry ? this.#run() : this.#running;
  }

  /** Nobody is authenticated any more. */
  cancel(): void {
    this.#round += 1;
    this.#retry?.cancel();
    this.#retry = null;
    this.#running = null;
    this.#renewedAt = -Infinity;
  }

  #run(): Promise<void> {
    this.#retry?.cancel();
    this.#retry = null;
    const running = this.#signIn(this.#round).finally(() => {
      if (this.#running === running) this.#running = null;
    });
    // Who asks with `now` hears how it went; mostly nobody does.
    running.catch(() => undefined);
    this.#running = running;
    return running;
  }

  async #signIn(round: number): Promise<void> {
    const { clock, log, login, connect, lost } = this.#options;
    let token: string;
    try {
      token = (await login()).sbcall_session_token;
    } catch (cause) {
      if (round !== this.#round) throw new CallError(1800303);
      if (cause instanceof CallError && PASSING.includes(cause.code)) {
        this.#retry = clock.after(this.#policy.waitBefore(this.#tries) ?? 0, () => void this.#run());
        this.#tries += 1;
        throw new CallError(1800202, { cause });
      }
      log.error('signing in again was refused', { error: cause });
      lost();
      throw new CallError(1800303, { cause });
    }
    if (round !== this.#round) throw new CallError(1800303);
    this.#renewedAt = clock.now();
    log.info('signed in again');
    await connect(token);
  }
}
