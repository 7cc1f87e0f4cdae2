import type { Clock } from '../../src/common/clock.ts';
import type { GenderType } from '../../src/protocol/product/values.ts';
import type { RateLimits } from '../budgets/rate-limits.ts';
import type { NodeLink } from '../cluster/node-link.ts';
import type { Log } from '../exchange/logging/log.ts';
import type { Ids } from '../exchange/ports.ts';
import type { PushSettings } from '../push/push-settings.ts';
import type { Database } from '../store/database.ts';
import type { Courier } from './accounts/courier.ts';
import type { Passwords } from './accounts/passwords.ts';
import type { CallingService } from './calling-service.ts';
import type { PayoutDesk } from './points/payout-desk.ts';
import type { ProductPerson } from './product-person.ts';
import type { Reviewer } from './verification/reviewer.ts';
import type { PaymentProvider } from './wallet/payment-provider.ts';

/** The outside world of the product. A port that is missing is simulated, or has the default that it names. */
export interface ProductPorts {
  /** The settings of push messages. Default: the push services of browsers. */
  readonly push?: PushSettings;
  /**
   * The sender of codes to phones and e-mails. Default: in demo mode a mailbox that every client may read, else none.
   */
  readonly courier?: Courier;
  /** The storage of passwords. Default: `createPasswords()` at full cost. */
  readonly passwords?: Passwords;
  /** The reviewer of identities. Default: a simulated one, which takes a minute. */
  readonly reviewer?: Reviewer;
  /** The payment provider. Default: a sandbox without real money. */
  readonly payments?: PaymentProvider;
  /** The desk that reviews and pays redemptions. Default: a simulated one, which takes a minute for each step. */
  readonly payoutDesk?: PayoutDesk;
}

export interface ProductOptions {
  readonly clock: Clock;
  /** Limits the rate of what clients send. */
  readonly rateLimits: RateLimits;
  readonly ids: Ids;
  readonly log: Log;
  /** Opens the database on first use, with its tables up to date. */
  readonly database: () => Promise<Database>;
  /** The ports. Default: each has its own. */
  readonly ports?: ProductPorts;
  /** The people that are added at the start. */
  readonly people: readonly ProductPerson[];
  /** In demo mode, the people of the demo sign in without a password. */
  readonly isDemo: boolean;
  readonly calling: CallingService;
  /**
   * The access token of simulated users of the calling service, who have no account. It admits every user. Default:
   * none.
   */
  readonly guestToken?: string;
  /** The link to the other nodes of a cluster. Default: none, this is the only node. */
  readonly link?: NodeLink;
  /** Whether calls and messages cost coins. Default: false. */
  readonly isBilled?: boolean;
  /** The base address of pictures, without a slash at the end. */
  readonly apiUrl: string;
  /** Draws a user's portrait as SVG. */
  readonly portrait: (uId: string, genderType: GenderType) => string;
}
