import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../../exchange/ports.ts';

/** An address is good for one to two of these, and the same all that time: what a browser keeps of it is found again. */
const STEP_MS = 12 * 3_600_000;
const SECOND_MS = 1_000;

/** What the query of an address says. */
export type AddressQuery = Readonly<Record<string, string>>;

/**
 * Addresses of files that not everybody may see. A picture on a page brings no token along, so whoever may see it is given
 * an address that says until when it is good, signed with a secret of the server.
 */
export class SignedAddresses {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #secret: string;

  constructor(clock: Pick<Clock, 'now'>, secret: string) {
    this.#clock = clock;
    this.#secret = secret;
  }

  /** The query of an address of this file that is good from now on. */
  queryFor(mediaId: string): string {
    const until = (Math.ceil(this.#clock.now() / STEP_MS) + 1) * STEP_MS;
    return new URLSearchParams({ until: String(until), sign: this.#signOf(mediaId, String(until)) }).toString();
  }

  /** For how many seconds from now on this query opens this file; 0 where it does not. */
  goodFor(mediaId: string, { until = '', sign = '' }: AddressQuery): number {
    const [given, right] = [Buffer.from(sign), Buffer.from(this.#signOf(mediaId, until))];
    if (given.length !== right.length || !timingSafeEqual(given, right)) return 0;
    return Math.max(0, Math.floor((Number(until) - this.#clock.now()) / SECOND_MS));
  }

  #signOf(mediaId: string, until: string): string {
    return createHmac('sha256', this.#secret).update(`${mediaId} ${until}`).digest('base64url');
  }
}
