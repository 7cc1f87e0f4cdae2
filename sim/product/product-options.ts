import type { GenderType } from '../../src/protocol/product/values.ts';
import type { RateLimits } from '../budgets/rate-limits.ts';
import type { Log } from '../exchange/logging/log.ts';
import type { Clock, Ids } from '../exchange/ports.ts';
import type { PushSettings } from '../push/push-settings.ts';
import type { Database } from '../store/database.ts';
import type { Caller } from './accounts/accounts.ts';
import type { Courier } from './accounts/courier.ts';
import type { Passwords } from './accounts/passwords.ts';
import type { CallingSession } from './accounts/session-review.ts';
import type { CallSource } from './chat/call-notes.ts';
import type { BilledCalls } from './billing/billing.ts';
import type { PayoutDesk } from './points/payout-desk.ts';
import type { CallingPresence } from './presence.ts';
import type { ProductPerson } from './product-person.ts';
import type { Reviewer } from './verification/reviewer.ts';
import type { PaymentProvider } from './wallet/payment-provider.ts';

export interface ProductOptions {
  readonly clock: Clock;
  /** Limits the rate of what clients send. */
  readonly rateLimits: RateLimits;
  readonly ids: Ids;
  readonly log: Log;
  /** Opens the database on first use, with its tables up to date. */
  readonly database: () => Promise<Database>;
  /** The people that are added at the start. */
  readonly people: readonly ProductPerson[];
  /** In demo mode, the people of the demo sign in without a password. */
  readonly isDemo: boolean;
  readonly calling: CallingPresence;
  /** The settings of push messages. Default: the push services of browsers. */
  readonly push?: PushSettings;
  /** The source of calls that are written into chats. Default: none. */
  readonly calls?: CallSource;
  /** The calls to bill. Default: neither calls nor messages cost coins. */
  readonly billing?: BilledCalls;
  /** Called for each user who may call and be called. */
  readonly onCaller: (caller: Caller) => void;
  /** Ends every call between two users. Default: there is no calling service. */
  readonly endCalls?: (uId: string, other: string) => void;
  /** Resolves when the calling service has stored all that it must about its calls. */
  readonly callsKept?: () => Promise<void>;
  /**
   * Called for a session that has ended, with its token of the calling service. Undefined when all sessions of the user
   * ended.
   */
  readonly onSignedOut?: (uId: string, callingToken?: string) => void;
  /** Returns the sessions of the calling service that were opened with a token. Default: none. */
  readonly callingSessions?: () => readonly CallingSession[];
  /** Called with a user who may no longer be connected. */
  readonly onGone?: (uId: string) => void;
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
  /** The base address of pictures, without a slash at the end. */
  readonly apiUrl: string;
  /** Draws a user's portrait as SVG. */
  readonly portrait: (uId: string, genderType: GenderType) => string;
}
