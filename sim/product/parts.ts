import type { Clock } from '../../src/common/clock.ts';
import type { RateLimits } from '../budgets/rate-limits.ts';
import type { Log } from '../exchange/logging/log.ts';
import type { Ids } from '../exchange/ports.ts';
import type { Database } from '../store/database.ts';
import type { Accounts, Caller } from './accounts/accounts.ts';
import type { Codes } from './accounts/codes.ts';
import type { Contacts } from './accounts/contacts.ts';
import type { SecurityNotices } from './accounts/security-notices.ts';
import type { Mailbox } from './accounts/courier.ts';
import type { Passwords } from './accounts/passwords.ts';
import type { SignIns } from './accounts/sign-ins.ts';
import type { CallingService } from './calling-service.ts';
import type { Chat } from './chat/chat.ts';
import type { PushSender } from '../push/web-push-sender.ts';
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

/** The parts that the areas of the product share. Each area takes those that it needs. */
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
  /** Notifies users, also while the app is closed. */
  readonly devices: Devices;
  readonly pushSender: PushSender;
  readonly people: People;
  readonly blocks: Blocks;
  /** Updates the calling service with the current name and picture of a user. */
  readonly announce: (caller: Caller) => void;
  readonly calling: CallingService;
  readonly contacts: Contacts;
  readonly codes: Codes;
  /** Sends notices of security changes to phones and e-mails. */
  readonly letters: SecurityNotices;
  /** The letters of the demo's courier. Null with another courier or without one. */
  readonly mailbox: Mailbox | null;
  readonly charges: Charges;
  readonly wallets: Wallets;
  readonly payments: PaymentProvider;
  /** In demo mode, the people of the demo sign in without a password. */
  readonly isDemo: boolean;
  /** The address of the server, without a slash at the end. */
  readonly apiUrl: string;
  /** Returns the address of a user's drawn portrait. */
  readonly portraitUrl: (uId: string) => string;
}
