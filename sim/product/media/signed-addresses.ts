import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../../../src/common/clock.ts';

/**
 * An address is valid for one to two of these steps. It stays the same for a whole step, so that browsers can cache the
 * file.
 */
const STEP_MS = 12 * 3_600_000;
const SECOND_MS = 1_000;

/** The query of an address. */
export type AddressQuery = Readonly<Record<string, string>>;

/**
 * Signed addresses of files that are not public. A picture on a page sends no token, so a user who may see it gets an
 * address with an expiry time, signed with a secret of the server.
 */
export class SignedAddresses {
  readonly #clock: Pick<Clock, 'wallTime'>;
  readonly #secret: string;

  constructor(clock: Pick<Clock, 'wallTime'>, secret: string) {
    this.#clock = clock;
    this.#secret = secret;
  }

  /** Returns the query of an address that is valid from now on. */
  queryFor(mediaId: string): string {
    const until = (Math.ceil(this.#clock.wallTime() / STEP_MS) + 1) * STEP_MS;
    return new URLSearchParams({ until: String(until), sign: this.#signOf(mediaId, String(until)) }).toString();
  }

  /** Returns for how many seconds this query gives access to the file. 0 without access. */
  goodFor(mediaId: string, { until = '', sign = '' }: AddressQuery): number {
    const [given, right] = [Buffer.from(sign), Buffer.from(this.#signOf(mediaId, until))];
    if (given.length !== right.length || !timingSafeEqual(given, right)) return 0;
    return Math.max(0, Math.floor((Number(until) - this.#clock.wallTime()) / SECOND_MS));
  }

  #signOf(mediaId: string, until: string): string {
    return createHmac('sha256', this.#secret).update(`${mediaId} ${until}`).digest('base64url');
  }
}
