import type { RateLimits } from '../budgets/rate-limits.ts';
import type { Log } from '../exchange/logging/log.ts';
import type { Clock, Ids } from '../exchange/ports.ts';
import type { Database } from '../store/database.ts';
import type { Accounts, Caller } from './accounts/accounts.ts';
import type { Codes } from './accounts/codes.ts';
import type { Contacts } from './accounts/contacts.ts';
import type { SecurityNotices } from './accounts/security-notices.ts';
import type { DemoInbox } from './accounts/demo-inbox.ts';
import type { Passwords } from './accounts/passwords.ts';
import type { SignIns } from './accounts/sign-ins.ts';
import type { Chat } from './chat/chat.ts';
import type { PushSender } from '../push/push-sender.ts';
import type { Charges } from './billing/charges.ts';
import type { EventHub } from './event-hub.ts';
import type { Ledger } from './ledger/ledger.ts';
import type { IdempotentRequests } from './ledger/idempotent-requests.ts';
import type { MediaLibrary } from './media/media.ts';
import type { Blocks } from './people/blocks.ts';
import type { People } from './people/people.ts';
import type { PresenceBoard } from './presence.ts';
import type { Devices } from './push/devices.ts';
import type { PaymentProvider } from './wallet/payment-provider.ts';
import type { Wallets } from './wallet/wallets.ts';

/** What the areas of the product are made of; each takes what it needs. */
export interface ProductParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly rateLimits: RateLimits;
  readonly ids: Ids;
  readonly log: Log;
  readonly events: EventHub;
  readonly presence: PresenceBoard;
  readonly accounts: Accounts;
  readonly passwords: Passwords;
  readonly signIns: SignIns;
  readonly chat: Chat;
  readonly ledger: Ledger;
  readonly receipts: IdempotentRequests;
  readonly media: MediaLibrary;
  /** Tells users of things also while they have the app closed. */
  readonly devices: Devices;
  readonly pushSender: PushSender;
  readonly people: People;
  readonly blocks: Blocks;
  /** Tells the calling service how somebody is called and looks now. */
  readonly announce: (caller: Caller) => void;
  /** Ends every call between the two. */
  readonly endCalls: (uId: string, other: string) => void;
  readonly contacts: Contacts;
  readonly codes: Codes;
  /** Tells people on their phones and by e-mail what was changed. */
  readonly letters: SecurityNotices;
  /** What the demo's courier has delivered; null where there is another courier, or none. */
  readonly mailbox: DemoInbox | null;
  readonly charges: Charges;
  readonly wallets: Wallets;
  readonly payments: PaymentProvider;
  /** In the demo world its own people sign in without a password. */
  readonly isDemo: boolean;
  /** Where the server is reached, without a slash at the end. */
  readonly apiUrl: string;
  /** The address of somebody's drawn portrait. */
  readonly portraitUrl: (uId: string) => string;
}
