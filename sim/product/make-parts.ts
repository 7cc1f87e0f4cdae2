import type { PushPayload } from '../../src/protocol/product/push.ts';
import { pushSenderOf } from '../push/push-settings.ts';
import { makeVapidKeys, readVapidKeys } from '../push/vapid.ts';
import { Accounts } from './accounts/accounts.ts';
import type { Callers } from './accounts/callers.ts';
import { Codes } from './accounts/codes.ts';
import { Contacts } from './accounts/contacts.ts';
import { SecurityNotices } from './accounts/security-notices.ts';
import { DemoInbox, SharedInbox } from './accounts/courier.ts';
import { createPasswords } from './accounts/passwords.ts';
import { type SignedOut, SignIns } from './accounts/sign-ins.ts';
import { Chat } from './chat/chat.ts';
import { Charges } from './billing/charges.ts';
import type { EventHub } from './event-hub.ts';
import { Ledger } from './ledger/ledger.ts';
import { IdempotentRequests } from './ledger/idempotent-requests.ts';
import type { ProductParts } from './parts.ts';
import { Blocks } from './people/blocks.ts';
import { MediaLibrary } from './media/media.ts';
import { SignedAddresses } from './media/signed-addresses.ts';
import { People } from './people/people.ts';
import type { PresenceBoard } from './presence.ts';
import { Devices } from './push/devices.ts';
import { createSandboxPayments } from './wallet/sandbox-payments.ts';
import { MemoryOrders, SharedOrders } from './wallet/sandbox-orders.ts';
import { Wallets } from './wallet/wallets.ts';
import type { ProductOptions } from './product-options.ts';
import type { Database } from '../store/database.ts';

/** The parts that the areas share with the sockets, and the listeners. */
interface Shared {
  readonly events: EventHub;
  readonly presence: PresenceBoard;
  readonly callers: Callers;
  /** Called for each session that has ended. */
  readonly onSignedOut: (ended: SignedOut) => void;
  /** Called with a user who may no longer be connected. */
  readonly onClosed: (uId: string) => void;
  /** Notifies a user in the app or on their devices. */
  readonly notify: (uId: string, payload: PushPayload) => Promise<void>;
  readonly portraitUrl: (uId: string) => string;
}

/** Opens the database, adds the people, and creates the parts that the areas work with. */
export async function makeParts(options: ProductOptions, shared: Shared): Promise<ProductParts> {
  const { clock, rateLimits, ids, log, isDemo, apiUrl, people, calling, link } = options;
  const { events, presence, callers, onSignedOut, onClosed, notify, portraitUrl } = shared;
  const { push = {}, ...ports } = options.ports ?? {};
  const database = await options.database();
  const vapidKeys = push.keys ?? readVapidKeys(await secretOf(database, 'vapid', makeVapidKeys));
  const pushSender = pushSenderOf(vapidKeys, push, { clock, log });
  const passwords = ports.passwords ?? createPasswords();
  const accounts = new Accounts(database, passwords, (caller) => callers.add(caller), onClosed);
  await accounts.seed(people, isDemo);
  const addresses = new SignedAddresses(clock, await secretOf(database, 'media', () => ids.token()));
  const media = new MediaLibrary({ database, clock, ids, apiUrl, addresses });
  const mailbox = isDemo && !ports.courier ? (link ? new SharedInbox(link.state) : new DemoInbox()) : null;
  const courier = ports.courier ?? mailbox;
  const secret = await secretOf(database, 'codes', () => ids.token());
  const ledger = new Ledger(database);
  return {
    database,
    clock,
    rateLimits,
    ids,
    log,
    events,
    presence,
    media,
    people: new People({ database, clock, media, presence, portraitUrl }),
    blocks: new Blocks(database, clock),
    announce: (caller) => callers.announce(caller),
    calling,
    accounts,
    passwords,
    signIns: new SignIns(database, clock, ids, onSignedOut),
    chat: new Chat({ media, database, clock, ids, events, notify }),
    ledger,
    receipts: new IdempotentRequests(database, clock),
    devices: new Devices({ database, clock, events, sender: pushSender }),
    pushSender,
    contacts: new Contacts(database),
    codes: new Codes({ database, clock, rateLimits, ids, log, courier, secret }),
    letters: new SecurityNotices({ database, clock, ids, log, courier }),
    mailbox,
    charges: new Charges(ledger, options.isBilled === true),
    wallets: new Wallets(ledger, events, link),
    payments: ports.payments ?? createSandboxPayments(link ? new SharedOrders(link.state) : new MemoryOrders()),
    isDemo,
    apiUrl,
    portraitUrl,
  };
}

/** Returns the secret of this name. It is made once, and stays the same for every server of the database. */
async function secretOf({ db }: Database, name: string, make: () => string): Promise<string> {
  await db
    .insertInto('ringback_secrets')
    .values({ name, value: make() })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const { value } = await db
    .selectFrom('ringback_secrets')
    .where('name', '=', name)
    .select('value')
    .executeTakeFirstOrThrow();
  return value;
}
