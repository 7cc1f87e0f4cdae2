import type { Clock, Timer } from '../../common/clock.ts';
import { descriptionPolicy } from '../realtime/retry-policy.ts';

/** Sends an offer or answer at once, and resends it by the schedule of descriptions (§9) until it is stopped. */
export class Resend {
  readonly #clock: Pick<Clock, 'after'>;
  readonly #send: () => void;
  #resends = 0;
  #timer: Timer | null = null;

  constructor(clock: Pick<Clock, 'after'>, send: () => void) {
    this.#clock = clock;
    this.#send = send;
    this.#again();
  }

  stop(): void {
    // Stryker disable next-line OptionalChaining: the first send has started a timer
    this.#timer?.cancel();
  }

  #again(): void {
    // The next send is scheduled first, since this one may stop it.
    const wait = descriptionPolicy.waitBefore(this.#resends);
    this.#resends += 1;
    if (wait !== null) this.#timer = this.#clock.after(wait, () => this.#again());
    this.#send();
  }
}
