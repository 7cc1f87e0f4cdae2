import type { Clock } from '../../../src/common/clock.ts';
import { TURN_CHANGED } from '../../../src/protocol/enumerations.ts';
import type { RelayCredential } from '../../../src/protocol/entities.ts';
import type { HmacSha1 } from '../ports.ts';
import type { RelaySettings } from '../settings.ts';

/** Relay credentials without an account at the relay. They expire at the time in the username (TURN REST, S23). */
export class Credentials {
  readonly #clock: Pick<Clock, 'wallTime'>;
  readonly #lifeMs: number;
  readonly #hmacSha1: HmacSha1 | undefined;
  #relay: RelaySettings | null;

  constructor(
    clock: Pick<Clock, 'wallTime'>,
    relay: RelaySettings | null,
    lifeMs: number,
    hmacSha1: HmacSha1 | undefined,
  ) {
    this.#clock = clock;
    this.#relay = relay;
    this.#lifeMs = lifeMs;
    this.#hmacSha1 = hmacSha1;
    this.use(relay);
  }

  /** Makes later credentials for this relay. Null for none. */
  use(relay: RelaySettings | null): void {
    if (relay && !this.#hmacSha1) throw new Error('A relay needs the hmacSha1 port to make its credentials.');
    this.#relay = relay;
  }

  get hasRelay(): boolean {
    return this.#relay !== null;
  }

  /**
   * Returns the credential of a new call. With `turn_changed` it has only the first url, since others may follow (§7,
   * RT-13).
   */
  initial(userId: string, capabilities: readonly string[]): RelayCredential {
    const whole = this.current(userId);
    return capabilities.includes(TURN_CHANGED) ? { ...whole, turn_urls: whole.turn_urls.slice(0, 1) } : whole;
  }

  /** Returns a credential with every url. */
  current(userId: string): RelayCredential {
    const relay = this.#relay;
    if (!relay || !this.#hmacSha1) return { username: '', password: '', turn_urls: [], transport_policy: 'all' };
    const username = `${Math.floor((this.#clock.wallTime() + this.#lifeMs) / 1_000)}:${userId}`;
    return {
      username,
      password: this.#hmacSha1(relay.secret, username),
      turn_urls: [...relay.urls],
      transport_policy: relay.policy ?? 'all',
    };
  }
}
