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
  /** Counts what clients send. */
  readonly rateLimits: RateLimits;
  readonly ids: Ids;
  readonly log: Log;
  /** Opened when it is first needed; its tables up to date. */
  readonly database: () => Promise<Database>;
  /** Whom the server is started with. */
  readonly people: readonly ProductPerson[];
  /** In the demo world its own people sign in without a password. */
  readonly isDemo: boolean;
  readonly calling: CallingPresence;
  /** How messages are pushed. Default: to the push services of browsers. */
  readonly push?: PushSettings;
  /** The calls to write into chats. Default: none are. */
  readonly calls?: CallSource;
  /** The calls to bill. Default: neither calls nor messages cost coins. */
  readonly billing?: BilledCalls;
  /** Told of everybody who may call and be called. */
  readonly onCaller: (caller: Caller) => void;
  /** Ends every call between two users; nothing where there is no calling service. */
  readonly endCalls?: (uId: string, other: string) => void;
  /** Resolves when the calling service has kept all that is to be kept of its calls. */
  readonly callsKept?: () => Promise<void>;
  /** Told of a session that is over, with the token by which the calling service took it; undefined where each of theirs is. */
  readonly onSignedOut?: (uId: string, callingToken?: string) => void;
  /** The sessions that the calling service has, by what they were opened with; those that needed nothing are left out. Default: none. */
  readonly callingSessions?: () => readonly CallingSession[];
  /** Told of whoever may no longer. */
  readonly onGone?: (uId: string) => void;
  /** Carries codes to phones and e-mails. Default: the demo's is a mailbox that anybody may read, any other has none. */
  readonly courier?: Courier;
  /** How passwords are kept. Default: by `createPasswords()`, at the real cost. */
  readonly passwords?: Passwords;
  /** Decides on identities. Default: a simulated one, which takes a minute. */
  readonly reviewer?: Reviewer;
  /** Takes payments. Default: a sandbox, in which no real money is paid. */
  readonly payments?: PaymentProvider;
  /** Looks at redemptions and pays them out. Default: a simulated one, which takes a minute for each step. */
  readonly payoutDesk?: PayoutDesk;
  /** Where the pictures are, without a slash at the end. */
  readonly apiUrl: string;
  /** Draws somebody's portrait: an svg. */
  readonly portrait: (uId: string, genderType: GenderType) => string;
}
