import type { Clock, Timer } from '../../common/clock.ts';
import { descriptionPolicy } from '../realtime/retry-policy.ts';

/** A description that is sent again and again until it is stopped. */
export interface Resend {
  stop(): void;
}

/** Sends an offer or answer at once, and resends it by the schedule of descriptions (§9) until it is stopped. */
export function startResend(clock: Pick<Clock, 'after'>, send: () => void): Resend {
  let resends = 0;
  let timer: Timer | null = null;
  const again = () => {
    // The next send is scheduled first, since this one may stop it.
    const wait = descriptionPolicy.waitBefore(resends);
    resends += 1;
    if (wait !== null) timer = clock.after(wait, again);
    send();
  };
  again();
  return {
    // Stryker disable next-line OptionalChaining: the first send has started a timer
    stop: () => timer?.cancel(),
  };
}
