/** Billing and quotes on a database, between an exchange and accounts that the test simulates. */
import type { ProductEvent } from '../../../../src/protocol/product/events.ts';
import type { GenderType } from '../../../../src/protocol/product/values.ts';
import type { CallEvent, EndedEvent } from '../../../../sim/exchange/calls/call-event.ts';
import type { LogEntry } from '../../../../sim/exchange/ports.ts';
import { Log } from '../../../../sim/exchange/logging/log.ts';
import { Billing } from '../../../../sim/product/billing/billing.ts';
import { CallBooks } from '../../../../sim/product/billing/call-books.ts';
import { Charges } from '../../../../sim/product/billing/charges.ts';
import { Quotes } from '../../../../sim/product/billing/quotes.ts';
import { Reservations } from '../../../../sim/product/billing/reservations.ts';
import type { EventHub } from '../../../../sim/product/event-hub.ts';
import { MemoryEventHub } from '../../../../sim/product/events/memory-event-hub.ts';
import { Ledger } from '../../../../sim/product/ledger/ledger.ts';
import { Blocks } from '../../../../sim/product/people/blocks.ts';
import { Wallets } from '../../../../sim/product/wallet/wallets.ts';
import type { Database } from '../../../../sim/store/database.ts';
import { VirtualClock } from '../../../../sim/virtual/clock.ts';
import { createListeners } from './calling-service.ts';

const GENDERS: Readonly<Record<string, GenderType>> = { kai: 'man', leo: 'man', mei: 'woman', yun: 'woman' };

/** More timers than billing needs for the time of a test. */
const MOST_TIMERS = 400;

type BillingEvent = Extract<ProductEvent, { type: 'call_billing' }>;

/** The changes of a test to the calls that a woman accepts. */
interface Offered {
  readonly price?: number;
  readonly voice_price?: number;
  readonly accepts_video?: number;
  readonly accepts_voice?: number;
  readonly resting?: number;
  readonly quiet_from?: number;
  readonly quiet_to?: number;
}

/** A node of a cluster, as its billing sees its exchange. */
export interface BilledNode {
  readonly name: string;
  /** The calls of the node. */
  readonly live: Set<string>;
  readonly listeners: ReturnType<typeof createListeners>;
  /** Returns whether a call belongs to the node, as the cluster knows it. */
  readonly ownsCall: (callId: string) => Promise<boolean>;
}

/** The defaults of a call that began. */
interface Began {
  readonly caller?: string;
  readonly callee?: string;
  readonly isVideoCall?: boolean;
}

/** The end of a call, and the observations of the exchange about it. */
type Ended = Began & Partial<Pick<EndedEvent, 'lost' | 'endedBySide'>>;

export class BillingDesk {
  readonly clock = new VirtualClock();
  readonly log: LogEntry[] = [];
  /** The calls that the exchange ended on request of billing. */
  readonly ended: string[] = [];
  /** The calls that the exchange has. */
  readonly live = new Set<string>();
  readonly ledger: Ledger;
  readonly wallets: Wallets;
  readonly books: CallBooks;
  readonly reservations: Reservations;
  readonly quotes: Quotes;
  billing: Billing;
  readonly #database: Database;
  readonly #events: EventHub;
  readonly #listeners = createListeners();
  readonly #told = new Map<string, ProductEvent[]>();
  /** Resolves before a reservation is found. A test may delay it. */
  finding: Promise<void> = Promise.resolve();
  #ids = 0;

  private constructor(database: Database) {
    this.#database = database;
    const uuid = () => `id-${(this.#ids += 1)}`;
    this.#events = new MemoryEventHub(this.clock, { uuid });
    this.ledger = new Ledger(database);
    this.wallets = new Wallets(this.ledger, this.#events);
    const isLive = (callId: string) => this.live.has(callId);
    this.reservations = new Reservations({ ...this.parts, isLive });
    this.books = new CallBooks({ ...this.parts, reservations: this.reservations, owner: null });
    this.billing = this.open();
    this.quotes = new Quotes({
      ...this.parts,
      billing: { isPaying: (man) => this.billing.isPaying(man) },
      reservations: this.reservations,
    });
    for (const uId of Object.keys(GENDERS)) {
      const told: ProductEvent[] = [];
      this.#told.set(uId, told);
      this.#events.subscribe(uId, null, (frame) => 'event' in frame && told.push(frame.event));
    }
  }

  /** Opens a desk on a database, which gets the accounts of its people. */
  static async open(database: Database): Promise<BillingDesk> {
    const account = { password_hash: null, is_demo: 0, joined_at: 0 };
    const accounts = Object.entries(GENDERS).map(([u_id, gender_type]) => ({ u_id, gender_type, ...account }));
    await database.db.insertInto('ringback_accounts').values(accounts).execute();
    return new BillingDesk(database);
  }

  /** Suspends a user, or ends it. */
  async suspend(uId: string, isSuspended = true): Promise<void> {
    await this.#database.db
      .updateTable('ringback_accounts')
      .set({ suspended_at: isSuspended ? this.clock.wallTime() : null })
      .where('u_id', '=', uId)
      .execute();
  }

  /** Lets a user block another one. Returns the function that ends it. */
  async block(u_id: string, other: string): Promise<() => Promise<void>> {
    const blocks = new Blocks(this.#database, this.clock);
    await blocks.add(u_id, other);
    return () => blocks.remove(u_id, other);
  }

  #booksOf(needs: ConstructorParameters<typeof CallBooks>[0]): CallBooks {
    const books = new CallBooks(needs);
    const open = books.openReserved.bind(books);
    books.openReserved = async (call) => {
      await this.finding;
      return open(call);
    };
    return books;
  }

  /** The parts that billing is made of. */
  get parts() {
    return {
      database: this.#database,
      clock: this.clock,
      ledger: this.ledger,
      charges: new Charges(this.ledger, true),
    };
  }

  /**
   * Another server's billing, on the same database or on a shared one.
   *
   * @param node - a node of a cluster, with its own calls and events. Default: a server without a cluster.
   */
  open(database: Database = this.#database, node?: BilledNode): Billing {
    const { live, listeners } = node ?? { live: this.live, listeners: this.#listeners };
    const reservations = new Reservations({ ...this.parts, database, isLive: (callId) => live.has(callId) });
    return new Billing({
      ...this.parts,
      database,
      log: new Log((entry) => void this.log.push(entry), this.clock),
      events: this.#events,
      wallets: this.wallets,
      books: this.#booksOf({ ...this.parts, database, reservations, owner: node?.name ?? null }),
      reservations,
      isInCluster: node !== undefined,
      calling: {
        subscribe: listeners.subscribe,
        endCall: (callId) => void this.ended.push(callId),
        get liveCalls() {
          return [...live].map((callId) => ({ callId }));
        },
        // No earlier call continues: billing-restart.test.ts tests a restart.
        begunCalls: [],
        ownsCall: node?.ownsCall ?? (async (callId) => live.has(callId)),
      },
    });
  }

  /** Gives a woman her prices. Default: 20 coins a minute of video and 10 of voice. */
  async offer(u_id: string, more: Offered = {}) {
    const offered = { price: 20, voice_price: 10, accepts_video: 1, accepts_voice: 1, resting: 0, ...more };
    await this.#database.db
      .insertInto('ringback_profiles')
      .values({ u_id, nickname: u_id, name_key: u_id, birthday: '1995-01-01', city: '台北', verified: 1, ...offered })
      .execute();
  }

  /** Creates coins, as if they were bought. */
  async give(man: string, coins: number): Promise<void> {
    await this.#database.transact((transaction) =>
      this.ledger.post(transaction, {
        key: `given ${(this.#ids += 1)}`,
        kind: 'bonus',
        at: this.clock.now(),
        ref: {},
        lines: [
          { account: 'house:sold', delta: -coins },
          { account: `coins:${man}`, delta: coins },
        ],
      }),
    );
  }

  /** Asks, as the exchange does, whether a call may be dialled. */
  async dial(callId: string, more: Began = {}): Promise<boolean> {
    const { caller = 'kai', callee = 'mei', isVideoCall = true } = more;
    return this.quotes.mayDial({ callId, caller, callee, isVideoCall });
  }

  /** Starts the media of a call. */
  async connect(callId: string, more: Began = {}): Promise<void> {
    this.live.add(callId);
    this.say(callId, { kind: 'begun' }, more);
    await this.billing.settled();
  }

  /** Emits an event of a call. Billing has not handled it yet. */
  say(callId: string, what: { readonly kind: Exclude<CallEvent['kind'], 'ended'> }, more: Began = {}): void {
    const { caller = 'kai', callee = 'mei', isVideoCall = true } = more;
    const event = { callId, caller, callee, isVideoCall, ...this.#moment, ...what };
    this.#listeners.emit(event);
  }

  /** Ends a call. */
  async end(callId: string, endResult = 'completed', duration = 0, more: Ended = {}): Promise<void> {
    this.live.delete(callId);
    const { caller = 'kai', callee = 'mei', isVideoCall = true, lost = null, endedBySide = null } = more;
    const record = { endResult, duration } as EndedEvent['record'];
    const how = { kind: 'ended' as const, record, lost, endedBySide };
    const event = { callId, caller, callee, isVideoCall, ...this.#moment, ...how };
    this.#listeners.emit(event);
    await this.billing.settled();
  }

  /** Advances the time, from one timer to the next, with the work of billing at each. */
  async pass(seconds: number): Promise<void> {
    const until = this.clock.now() + seconds * 1_000;
    for (let timers = 0; this.clock.now() < until; timers += 1) {
      if (timers > MOST_TIMERS) throw new Error('billing starts its timers again without end');
      const due = this.clock.pending[0]?.dueIn ?? Infinity;
      await this.clock.advance(Math.min(Math.max(due, 1), until - this.clock.now()));
      await this.billing.settled();
    }
  }

  /** Returns the billing events that a user received. */
  told(uId: string): BillingEvent[] {
    return (this.#told.get(uId) ?? []).filter((event) => event.type === 'call_billing');
  }

  /** Returns the wallet events that a user received. */
  wallet(uId: string): ProductEvent[] {
    return (this.#told.get(uId) ?? []).filter(({ type }) => type === 'wallet_changed');
  }

  /** A man's coins, and his reserved coins. */
  async coins(man = 'kai'): Promise<[number, number]> {
    return [await this.ledger.balance(`coins:${man}`), await this.ledger.balance(`held:${man}`)];
  }

  /** The billing sessions of calls, each by its id. */
  async pages() {
    const rows = await this.#database.db.selectFrom('ringback_charge_sessions').selectAll().execute();
    return new Map(rows.map((row) => [row.session_id, row]));
  }

  /** Transfers of coins of calls, by key. */
  async transfers() {
    const rows = await this.#database.db.selectFrom('ringback_transfers').selectAll().orderBy('key').execute();
    return rows
      .filter(({ key }) => key.startsWith('call:'))
      .map(({ key, kind, at, ref }) => [key, kind, at, JSON.parse(ref)]);
  }

  get #moment() {
    return { at: this.clock.now(), clock: this.clock.now() };
  }

  get listeners(): number {
    return this.#listeners.count;
  }
}
