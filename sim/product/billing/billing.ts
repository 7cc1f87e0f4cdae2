import type { CallKind } from '../../../src/protocol/product/calls.ts';
import type { CallEvent, ConnectedCall } from '../../exchange/call-event.ts';
import type { Log } from '../../exchange/log.ts';
import type { Clock, TimerHandle } from '../../exchange/ports.ts';
import type { Database } from '../../store/database.ts';
import type { EventHub } from '../event-hub.ts';
import type { Accounts } from '../accounts/accounts.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { CALL_RULES } from '../rules.ts';
import type { Wallets } from '../wallet/wallets.ts';
import type { BilledCall, CallBooks, OpenPage } from './call-books.ts';
import { Meter, minuteBegins } from './meter.ts';
import { offerOf } from './offer.ts';

/** What billing needs of the exchange. */
export interface BilledCalls {
  onCall(listener: (event: CallEvent) => void): () => void;
  endCall(callId: string): void;
  readonly liveCalls: readonly { readonly callId: string }[];
  /** Those in which both sides have media: a server that starts again goes on with them. */
  readonly connectedCalls: readonly ConnectedCall[];
}

/** A call that is billed, while it lasts. */
interface Session extends BilledCall {
  readonly meter: Meter;
  /** Minutes that were charged. */
  minutes: number;
  /** Hundredths of a point earned so far, and by the last minute. */
  points: number;
  lastPoints: number;
  /** Waits for the next minute, or for the end of the grace. */
  timer: TimerHandle | null;
  /** When the call is ended because it cannot be paid; null while it can. */
  endsAt: number | null;
  /** What is done about the call, one after the other. */
  work: Promise<void>;
  isOver: boolean;
  /** False after a restart, until both sides are heard of: nothing is charged meanwhile. */
  isBack: boolean;
}

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly events: EventHub;
  readonly accounts: Accounts;
  readonly ledger: Ledger;
  readonly wallets: Wallets;
  readonly books: CallBooks;
  readonly calls: BilledCalls;
}

/** A call that is connected. */
type Connected = Pick<ConnectedCall, 'callId' | 'caller' | 'callee' | 'isVideoCall' | 'at'>;

/** A server that shares its database and has not been heard of for this long has left its calls behind. */
const LEFT_MS = 3 * 60_000;
/** A minute that the database did not take is tried again after this: nobody is to speak for nothing meanwhile. */
const AGAIN_MS = 5_000;

/**
 * Bills calls between men and women: each minute as it begins, whoever dialled. A call that cannot be paid any more goes on
 * for a short while and is then ended.
 */
export class Billing {
  readonly #with: Dependencies;
  readonly #sessions = new Map<string, Session>();
  readonly #stops: (() => void)[] = [];
  /** Sessions that are being made, and what is being done about those that are. */
  readonly #openings = new Set<Promise<void>>();
  readonly #works = new Set<Promise<void>>();
  #sweep: TimerHandle | null = null;

  constructor(dependencies: Dependencies) {
    this.#with = dependencies;
    const { calls, wallets } = dependencies;
    this.#stops.push(
      calls.onCall((event) => this.#heard(event)),
      wallets.onCredit((man) => this.#credited(man)),
    );
  }

  /** Goes on with the calls that go on, and closes what a server that is gone has left open. */
  async start(): Promise<void> {
    const { database, clock, calls } = this.#with;
    for (const call of calls.connectedCalls) await this.#resume(call);
    await this.#closeLeft(database.isShared ? LEFT_MS : 0);
    if (!database.isShared) return;
    const again = () => {
      this.#sweep = clock.setTimeout(() => void this.#closeLeft(LEFT_MS).catch(this.#failed).finally(again), LEFT_MS);
    };
    again();
  }

  /** Hears and does nothing more by itself; what is being done goes on, see {@link settled}. */
  dispose(): void {
    const { clock } = this.#with;
    for (const stop of this.#stops.splice(0)) stop();
    if (this.#sweep) clock.clearTimeout(this.#sweep);
    for (const { timer } of this.#sessions.values()) if (timer) clock.clearTimeout(timer);
  }

  /** Resolves when nothing is being done about any call. */
  async settled(): Promise<void> {
    await Promise.all(this.#openings);
    await Promise.all(this.#works);
  }

  #heard(event: CallEvent): void {
    if (event.kind === 'connected') {
      this.#opening(event);
      return;
    }
    const session = this.#sessions.get(event.callId);
    if (!session) return;
    if (event.kind === 'ended') {
      this.#then(session, () => this.#close(session, event.record.endResult, event.record.duration));
      return;
    }
    if (event.kind === 'returned') session.isBack = true;
    else {
      if (event.kind === 'held') session.meter.hold(event.at);
      else session.meter.resume(event.at);
      const { state } = session.meter;
      this.#then(session, () => this.#with.books.keepMeter(session.callId, state));
    }
    if (session.endsAt === null) this.#waitForMinute(session);
  }

  #opening(event: CallEvent): void {
    const { callId } = event;
    // What happens to the call meanwhile waits for its session.
    const early: CallEvent[] = [];
    const stop = this.#with.calls.onCall((next) => {
      if (next.callId === callId) early.push(next);
    });
    const opening = this.#sessionOf(event)
      .then((session) => {
        stop();
        if (!session) return;
        this.#sessions.set(callId, session);
        this.#waitForMinute(session);
        this.#then(session, () => this.#tell(session));
        for (const next of early) this.#heard(next);
      })
      .catch((error: unknown) => {
        stop();
        this.#failed(error);
      })
      .finally(() => this.#openings.delete(opening));
    this.#openings.add(opening);
  }

  /** The minutes that began while no server ran are charged once both sides are back. */
  async #resume(call: ConnectedCall): Promise<void> {
    const page = await this.#with.books.page(call.callId);
    const session = page ? pageSession(page) : await this.#sessionOf(call);
    if (!session) return;
    session.isBack = call.isBack;
    this.#sessions.set(call.callId, session);
    this.#waitForMinute(session);
  }

  async #sessionOf({ callId, caller, callee, isVideoCall, at }: Connected): Promise<Session | null> {
    const { accounts, database, books } = this.#with;
    const kind: CallKind = isVideoCall ? 'video' : 'voice';
    const [one, other] = await Promise.all([accounts.find(caller), accounts.find(callee)]);
    if (!one || !other || one.genderType === other.genderType) return null;
    const [man, woman] = one.genderType === 'man' ? [one.uId, other.uId] : [other.uId, one.uId];
    const { rate } = await offerOf(database.db, woman, kind, at);
    if (rate === 0) return null;
    const call = { callId, man, woman, kind, rate };
    await books.open(call, at);
    return sessionOf(call, new Meter(at));
  }

  /** Waits until the next minute begins, as long as it will. */
  #waitForMinute(session: Session): void {
    if (session.isOver || !session.isBack) return;
    const begins = session.meter.reaches(minuteBegins(session.minutes + 1));
    this.#wait(session, begins, () => this.#charge(session));
  }

  #wait(session: Session, until: number | null, then: () => Promise<void>): void {
    const { clock } = this.#with;
    if (session.timer) clock.clearTimeout(session.timer);
    session.timer = null;
    if (until === null) return;
    session.timer = clock.setTimeout(
      () => {
        session.timer = null;
        this.#then(session, then);
      },
      Math.max(0, until - clock.now()),
    );
  }

  async #charge(session: Session): Promise<void> {
    if (session.isOver || !this.#isLive(session)) return;
    const { clock } = this.#with;
    // Waits before all else: whatever fails from here on, the call is charged later.
    this.#wait(session, clock.now() + AGAIN_MS, () => this.#charge(session));
    const isPaid = await this.#take(session, session.minutes + 1);
    if (isPaid) {
      session.endsAt = null;
      this.#waitForMinute(session);
      await this.#tell(session);
      return;
    }
    if (session.endsAt !== null) {
      // The grace is over.
      this.#with.calls.endCall(session.callId);
      return;
    }
    session.endsAt = clock.now() + CALL_RULES.graceMs;
    this.#wait(session, session.endsAt, () => this.#charge(session));
    await this.#tell(session);
  }

  /** Takes a minute's coins; false where there are too few. */
  async #take(session: Session, minute: number): Promise<boolean> {
    const points = await this.#with.books.take(session, minute);
    if (points === null) return false;
    session.minutes = minute;
    session.lastPoints = points;
    session.points += points;
    return true;
  }

  async #close(session: Session, endResult: string, duration: number | null): Promise<void> {
    if (session.isOver) return;
    session.isOver = true;
    await this.#book(session, endResult, duration);
  }

  /** Writes down how a call ended, again and again until it is kept: what is held is to come free. */
  async #book(session: Session, endResult: string, duration: number | null): Promise<void> {
    const { books, clock } = this.#with;
    const { minutes, lastPoints } = session;
    this.#wait(session, clock.now() + AGAIN_MS, () => this.#book(session, endResult, duration));
    // The minute in which the connection went was not had.
    const isGivenBack = endResult === 'connection_lost' && minutes > 0;
    await books.close(session, { endResult, duration, minutes, givenBack: isGivenBack ? lastPoints : null });
    this.#forget(session);
    if (isGivenBack) {
      session.minutes -= 1;
      session.points -= lastPoints;
    }
    session.endsAt = null;
    await this.#tell(session);
  }

  async #tell(session: Session): Promise<void> {
    const { callId, man, woman, minutes, rate, points } = session;
    const { events, ledger, wallets } = this.#with;
    const coins = await ledger.balance(`coins:${man}`);
    const told = { type: 'call_billing', call_id: callId, billed_minutes: minutes, rate } as const;
    events.tell([man], { ...told, coins_left: coins, points_earned: null, ends_at: endsAt(session, coins) });
    events.tell([woman], { ...told, coins_left: null, points_earned: points, ends_at: null });
    await wallets.tell(man, woman);
  }

  /** There are new coins: a call that is about to be ended for want of them may go on. */
  #credited(man: string): void {
    for (const session of this.#sessions.values()) {
      if (session.man !== man || session.endsAt === null) continue;
      this.#then(session, async () => {
        if (session.isOver || session.endsAt === null) return;
        if (!(await this.#take(session, session.minutes + 1))) return;
        session.endsAt = null;
        this.#waitForMinute(session);
        await this.#tell(session);
      });
    }
  }

  #isLive(session: Session): boolean {
    if (this.#with.calls.liveCalls.some(({ callId }) => callId === session.callId)) return true;
    // The exchange has forgotten it.
    this.#then(session, () => this.#close(session, 'unknown', null));
    return false;
  }

  #forget(session: Session): void {
    if (session.timer) this.#with.clock.clearTimeout(session.timer);
    session.timer = null;
    this.#sessions.delete(session.callId);
  }

  #then(session: Session, work: () => Promise<void>): void {
    const done = session.work
      .then(work)
      .catch(this.#failed)
      .finally(() => this.#works.delete(done));
    session.work = done;
    this.#works.add(done);
  }

  #closeLeft(silentMs: number): Promise<void> {
    return this.#with.books.closeLeft(silentMs, (callId) => this.#sessions.has(callId));
  }

  readonly #failed = (error: unknown): void => {
    this.#with.log.error('billing failed', { error });
  };
}

function pageSession(page: OpenPage): Session {
  const { callId, man, woman, kind, rate, minutes, points, lastPoints, startedAt, meter } = page;
  const call = { callId, man, woman, kind, rate };
  return { ...sessionOf(call, new Meter(startedAt, meter)), minutes, points, lastPoints };
}

/** A session of which nothing has been charged yet. */
const sessionOf = (call: BilledCall, meter: Meter): Session => ({
  ...call,
  meter,
  minutes: 0,
  points: 0,
  lastPoints: 0,
  timer: null,
  endsAt: null,
  work: Promise.resolve(),
  isOver: false,
  isBack: true,
});

/**
 * When the call is ended for want of coins: null where there are some for the minute after this one. Before that minute
 * begins, as far as it can be foreseen.
 */
function endsAt({ isOver, endsAt: ends, meter, minutes, rate }: Session, coins: number): number | null {
  if (isOver || ends !== null) return ends;
  const next = coins < rate ? meter.reaches(minuteBegins(minutes + 1)) : null;
  return next === null || minutes === 0 ? null : next + CALL_RULES.graceMs;
}
