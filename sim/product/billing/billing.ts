import type { BegunCall, CallEvent } from '../../exchange/calls/call-event.ts';
import type { AdoptedEvent, ExchangeEvent } from '../../exchange/events.ts';
import type { Log } from '../../exchange/logging/log.ts';
import type { Clock, Timer } from '../../../src/common/clock.ts';
import type { CallingService } from '../calling-service.ts';
import type { Database } from '../../store/database.ts';
import type { EventHub } from '../event-hub.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { CALL_RULES } from '../rules.ts';
import type { Wallets } from '../wallet/wallets.ts';
import { type CallBooks, NotOwner } from './call-books.ts';
import { minuteBegins } from './meter.ts';
import { type Begun, openSession } from './open-session.ts';
import { isMinuteLost } from './refunds.ts';
import type { Reservations } from './reservations.ts';
import { endOf, resumedSession, type Session } from './session.ts';

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly events: EventHub;
  readonly ledger: Ledger;
  readonly wallets: Wallets;
  readonly books: CallBooks;
  readonly reservations: Reservations;
  readonly calling: Pick<CallingService, 'subscribe' | 'endCall' | 'liveCalls' | 'begunCalls' | 'ownsCall'>;
  /** Whether other nodes of a cluster bill calls in the same database. */
  readonly isInCluster: boolean;
}

/** A session that is being opened. */
interface Opening {
  /** Opens the session. Resolves with null when the call is free. */
  readonly open: () => Promise<Session | null>;
  /** The events of the call that wait for the session. */
  readonly early: CallEvent[];
  /** The current or last attempt. */
  done: Promise<void>;
}

/** A server of a shared database that has not written for this long has lost its calls. Milliseconds. */
const LEFT_MS = 3 * 60_000;
/** How often a node of a cluster records that its calls go on. Milliseconds. */
const BEAT_MS = 20_000;
/** The result of a write about a call that another node bills now. */
const LOST = Symbol('lost');
/** The delay before a minute that the database refused is charged again, so that no call becomes free. Milliseconds. */
const AGAIN_MS = 5_000;

/**
 * Bills calls between men and women, each minute as it begins, whichever side dialled. A call that can no longer be
 * paid goes on for a short time and is then ended. Durations come from the monotonic clock, so a step of the wall clock
 * has no effect. Stored times are wall times.
 *
 * In a cluster, the node of a call bills it. When another node adopts the call, that node resumes the billing as after a
 * restart. This one forgets it without a write.
 */
export class Billing {
  readonly #with: Dependencies;
  readonly #sessions = new Map<string, Session>();
  readonly #stops: (() => void)[] = [];
  /** The sessions that are being opened, by call. */
  readonly #openings = new Map<string, Opening>();
  readonly #works = new Set<Promise<void>>();
  #sweep: Timer | null = null;
  #beat: Timer | null = null;
  /** Once true, work in progress completes and starts no timer. */
  #isDisposed = false;
  /** Retries of work that the database refused, by call: an opening, or the release of a reservation. */
  readonly #again = new Map<string, Timer>();

  constructor(dependencies: Dependencies) {
    this.#with = dependencies;
    const { calling, wallets } = dependencies;
    this.#stops.push(
      calling.subscribe((event) => this.#hear(event)),
      wallets.onCredit((man) => this.#credited(man)),
    );
  }

  /** Resumes billing of the calls that go on, and closes the pages of servers that are gone. */
  async start(): Promise<void> {
    const { database, calling, isInCluster } = this.#with;
    for (const call of calling.begunCalls) {
      const session = await this.#resumed(call);
      if (session) this.#begin(session);
    }
    const isShared = database.isShared || isInCluster;
    await this.#closeLeft(isShared ? LEFT_MS : 0);
    if (isInCluster) this.#beatLater();
    if (!isShared) return;
    this.#sweepLater();
  }

  /** Closes the pages of servers that are gone, again and again. */
  #sweepLater(): void {
    if (this.#isDisposed) return;
    this.#sweep = this.#with.clock.after(LEFT_MS, () => {
      this.#work(this.#closeLeft(LEFT_MS).finally(() => this.#sweepLater()));
    });
  }

  /** Counts work as being in progress, see {@link settled}. */
  #work(work: Promise<void>): void {
    const done = work.catch(this.#failed).finally(() => this.#works.delete(done));
    this.#works.add(done);
  }

  /** Stops listening and all timers. Work in progress goes on, see {@link settled}. */
  dispose(): void {
    this.#isDisposed = true;
    for (const stop of this.#stops.splice(0)) stop();
    this.#sweep?.cancel();
    this.#beat?.cancel();
    for (const { timer } of this.#sessions.values()) timer?.cancel();
    for (const timer of this.#again.values()) timer.cancel();
  }

  /** Returns whether the man has a call that he pays. Calls that have just ended are booked first. */
  async isPaying(man: string): Promise<boolean> {
    const { reservations } = this.#with;
    if (!(await reservations.isPaying(man))) return false;
    await this.settled();
    return reservations.isPaying(man);
  }

  /** Resolves when no work on any call is in progress. */
  async settled(): Promise<void> {
    await Promise.all([...this.#openings.values()].map(({ done }) => done));
    await Promise.all(this.#works);
  }

  #hear(event: ExchangeEvent): void {
    switch (event.kind) {
      case 'presence':
      case 'refused':
      case 'unreached':
      case 'invited':
        return;
      case 'adopted':
        return this.#adopt(event);
      case 'let_go':
        return this.#letGo(event.callId);
      default:
        this.#handle(event);
    }
  }

  #handle(event: CallEvent): void {
    const { callId, kind } = event;
    const opening = this.#openings.get(callId);
    if (opening) return void opening.early.push(event);
    if (kind === 'begun') return this.#opening(callId, () => this.#opened(event));
    const session = this.#sessions.get(callId);
    if (!session) {
      if (kind === 'ended' || kind === 'not_dialled') this.#release(callId);
      return;
    }
    switch (kind) {
      case 'ended': {
        const { endResult, duration } = event.record;
        this.#then(session, () => this.#close(session, endResult, duration, isMinuteLost(session.man, event)));
        return;
      }
      case 'returned':
        session.isBack = true;
        break;
      case 'held':
        session.meter.hold(event.clock - session.began);
        this.#keep(session);
        break;
      case 'resumed':
        session.meter.resume(event.clock - session.began);
        this.#keep(session);
        break;
      case 'ringing':
      case 'accepted':
      case 'connected':
      case 'not_dialled':
        return;
      default:
        return kind satisfies never;
    }
    if (session.unpaidSince === null) this.#waitForMinute(session);
  }

  /** Stores the current state of the session. */
  #keep(session: Session): void {
    const { state } = session.meter;
    const { callId, unpaidSince } = session;
    this.#then(session, () => this.#with.books.keep(callId, state, unpaidSince));
  }

  /** Resumes the billing of a call of a node that died. */
  #adopt(event: AdoptedEvent): void {
    const { callId } = event;
    if (this.#sessions.has(callId) || this.#openings.has(callId)) return;
    this.#opening(callId, () => this.#resumed(event));
  }

  /** Forgets a call that another node bills now. Writes nothing. */
  #letGo(callId: string): void {
    const opening = this.#openings.get(callId);
    if (opening) this.#work(opening.done);
    this.#openings.delete(callId);
    this.#again.get(callId)?.cancel();
    this.#again.delete(callId);
    const session = this.#sessions.get(callId);
    if (!session) return;
    session.isOver = true;
    this.#forget(session);
  }

  #opening(callId: string, open: () => Promise<Session | null>): void {
    const opening: Opening = { open, early: [], done: Promise.resolve() };
    this.#openings.set(callId, opening);
    opening.done = this.#open(callId, opening);
  }

  /** Opens the session of a call. Retries until the database accepts it, so that no call becomes free by an error. */
  async #open(callId: string, opening: Opening): Promise<void> {
    try {
      const session = await opening.open();
      // The call may have moved to another node meanwhile.
      if (this.#openings.get(callId) !== opening) return;
      if (session) this.#begin(session);
      this.#openings.delete(callId);
      for (const next of opening.early) this.#handle(next);
    } catch (error) {
      this.#failed(error);
      this.#tryAgain(callId, () => {
        if (this.#openings.get(callId) !== opening) return;
        if (!opening.early.some(({ kind }) => kind === 'ended')) {
          opening.done = this.#open(callId, opening);
          return;
        }
        this.#openings.delete(callId);
        this.#release(callId);
      });
    }
  }

  /** Opens the session of a call whose media begins. */
  async #opened(begun: Begun): Promise<Session | null> {
    const { books, calling, isInCluster } = this.#with;
    const { callId } = begun;
    // This node may only be cut off, and the media of the call may have begun at the node that has adopted it.
    if (isInCluster && (await books.isElsewhere(callId)) && !(await calling.ownsCall(callId))) return null;
    // The node of a call may have died between the page and the record that media has begun.
    const session = isInCluster
      ? await this.#resumed({ ...begun, isHeld: false, isBack: true })
      : await openSession(this.#with, begun);
    if (session) this.#then(session, () => this.#publish(session));
    return session;
  }

  #tryAgain(callId: string, work: () => void): void {
    if (this.#isDisposed) return;
    const again = () => {
      this.#again.delete(callId);
      work();
    };
    this.#again.set(callId, this.#with.clock.after(AGAIN_MS, again));
  }

  /**
   * Returns the session of a call of the previous server process, or of a node that died. At most one minute is charged
   * for the time without a server, once both sides are back. Only the wall clock can measure that time.
   */
  async #resumed(call: BegunCall): Promise<Session | null> {
    const { books, clock } = this.#with;
    const page = await books.takeOver(call.callId);
    const session = page ? resumedSession(page, call.clock) : await openSession(this.#with, call);
    if (!session) return null;
    session.isBack = call.isBack;
    const { meter, minutes } = session;
    const billed = meter.billed(clock.now() - session.began);
    if (billed >= minuteBegins(minutes + 2)) {
      meter.waive(billed - minuteBegins(minutes + 1));
      this.#keep(session);
    }
    return session;
  }

  /** Starts to bill a session. */
  #begin(session: Session): void {
    this.#sessions.set(session.callId, session);
    if (session.unpaidSince === null) this.#waitForMinute(session);
    else this.#wait(session, session.unpaidSince + CALL_RULES.graceMs, () => this.#charge(session));
  }

  /** Records again and again that the calls of this node go on, so that no other node closes their pages. */
  #beatLater(): void {
    if (this.#isDisposed) return;
    const { books, calling, clock, reservations } = this.#with;
    this.#beat = clock.after(BEAT_MS, () => {
      this.#work(books.touch([...this.#sessions.keys()]));
      this.#work(reservations.touch(calling.liveCalls.map(({ callId }) => callId)));
      this.#beatLater();
    });
  }

  /** Starts the timer for the next minute. */
  #waitForMinute(session: Session): void {
    if (session.isOver || !session.isBack) return;
    const begins = session.meter.reaches(minuteBegins(session.minutes + 1));
    this.#wait(session, begins, () => this.#charge(session));
  }

  /** @param until - counted from the start of media. Null starts no timer. */
  #wait(session: Session, until: number | null, then: () => Promise<void>): void {
    const { clock } = this.#with;
    session.timer?.cancel();
    session.timer = null;
    if (until === null || this.#isDisposed) return;
    session.timer = clock.after(Math.max(0, session.began + until - clock.now()), () => {
      session.timer = null;
      this.#then(session, then);
    });
  }

  async #charge(session: Session): Promise<void> {
    if (session.isOver || !this.#isLive(session)) return;
    const { books, calling } = this.#with;
    const now = this.#passed(session);
    // The timer starts first, so that the call is charged later whatever fails from here on.
    this.#wait(session, now + AGAIN_MS, () => this.#charge(session));
    const isPaid = await this.#take(session, session.minutes + 1);
    if (session.isOver) return;
    if (isPaid) {
      this.#waitForMinute(session);
      await this.#publish(session);
      return;
    }
    if (session.unpaidSince !== null) {
      // The grace period is over.
      calling.endCall(session.callId);
      return;
    }
    session.unpaidSince = now;
    this.#wait(session, now + CALL_RULES.graceMs, () => this.#charge(session));
    await this.#publish(session);
    await books.keep(session.callId, session.meter.state, now);
  }

  /** Returns the milliseconds since media began. */
  #passed({ began }: Session): number {
    return this.#with.clock.now() - began;
  }

  /** Charges a minute. Returns false when the man has too few coins. */
  async #take(session: Session, minute: number): Promise<boolean> {
    const points = await this.#owned(session, () => this.#with.books.take(session, minute));
    if (points === null || points === LOST) return false;
    session.minutes = minute;
    session.unpaidSince = null;
    session.lastPoints = points;
    session.points += points;
    return true;
  }

  /** @param isLost - whether to refund the last minute. */
  async #close(session: Session, endResult: string, duration: number | null, isLost: boolean): Promise<void> {
    if (session.isOver) return;
    session.isOver = true;
    await this.#book(session, endResult, duration, isLost);
  }

  /** Books the end of a call. Retries until the database accepts it, so that held coins are released. */
  async #book(session: Session, endResult: string, duration: number | null, isLost: boolean): Promise<void> {
    const { minutes, lastPoints } = session;
    this.#wait(session, this.#passed(session) + AGAIN_MS, () => this.#book(session, endResult, duration, isLost));
    const lostPoints = isLost && minutes > 0 ? lastPoints : null;
    const ending = { endResult, duration, minutes, lostPoints };
    const isGivenBack = await this.#owned(session, () => this.#with.books.close(session, ending));
    if (isGivenBack === LOST) return;
    this.#forget(session);
    if (isGivenBack) {
      session.minutes -= 1;
      session.points -= lastPoints;
    }
    session.unpaidSince = null;
    await this.#publish(session);
  }

  /**
   * Runs a write about a call that only its node may make. Takes a page back that was closed in a silence of this node, or
   * is that of a node that has lost the call to this one. Forgets the call when another node bills it.
   */
  async #owned<Result>(session: Session, write: () => Promise<Result>): Promise<Result | typeof LOST> {
    const { books, calling, log } = this.#with;
    const { callId } = session;
    try {
      return await write();
    } catch (error) {
      if (!(error instanceof NotOwner)) throw error;
      // No node owns a call that is over.
      const isTaken = session.isOver
        ? await books.takeBack(callId)
        : (await calling.ownsCall(callId)) && (await books.takeOver(callId)) !== undefined;
      if (isTaken) return await write();
      log.warn('another node bills a call of this one', { call: callId });
      this.#letGo(callId);
      return LOST;
    }
  }

  /** Releases the reservation of a call that never connected. Retries until the database accepts it. */
  #release(callId: string): void {
    const { books, isInCluster, reservations } = this.#with;
    const release = async () => {
      // The node that has the page bills the call, or another one closes the page.
      if (isInCluster && (await books.isElsewhere(callId))) return;
      await reservations.release(callId);
    };
    const done = release()
      .catch((error: unknown) => {
        this.#failed(error);
        this.#tryAgain(callId, () => this.#release(callId));
      })
      .finally(() => this.#works.delete(done));
    this.#works.add(done);
  }

  async #publish(session: Session): Promise<void> {
    const { callId, man, woman, minutes, rate, points } = session;
    const { clock, events, ledger, wallets } = this.#with;
    if (!events.reaches(man) && !events.reaches(woman)) return;
    const coins = await ledger.balance(`coins:${man}`);
    const billed = { type: 'call_billing', call_id: callId, billed_minutes: minutes, rate } as const;
    const endsIn = endOf(session, coins);
    const ends_at = endsIn === null ? null : Math.round(clock.wallTime() + endsIn - this.#passed(session));
    events.publish([man], { ...billed, coins_left: coins, points_earned: null, ends_at });
    events.publish([woman], { ...billed, coins_left: null, points_earned: points, ends_at: null });
    await wallets.publish(man, woman, coins);
  }

  /** The man has new coins, so a call that was about to end may go on. */
  #credited(man: string): void {
    for (const session of this.#sessions.values()) {
      if (session.man !== man || session.unpaidSince === null) continue;
      this.#then(session, async () => {
        if (session.isOver || session.unpaidSince === null) return;
        if (!(await this.#take(session, session.minutes + 1))) return;
        this.#waitForMinute(session);
        await this.#publish(session);
      });
    }
  }

  #isLive(session: Session): boolean {
    if (this.#with.calling.liveCalls.some(({ callId }) => callId === session.callId)) return true;
    // The exchange no longer knows the call.
    this.#then(session, () => this.#close(session, 'unknown', null, false));
    return false;
  }

  #forget(session: Session): void {
    session.timer?.cancel();
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

  async #closeLeft(silentMs: number): Promise<void> {
    const { books, reservations } = this.#with;
    await books.closeLeft(silentMs, (callId) => this.#sessions.has(callId));
    await reservations.releaseLeft(silentMs);
  }

  readonly #failed = (error: unknown): void => {
    this.#with.log.error('billing failed', { error });
  };
}
