import type { Transaction } from 'kysely';
import type { CallKind, Quote } from '../../../src/protocol/product/calls.ts';
import type { CallEvent, DialQuestion } from '../../exchange/call-event.ts';
import type { Log } from '../../exchange/log.ts';
import type { Clock, TimerHandle } from '../../exchange/ports.ts';
import type { Database } from '../../store/database.ts';
import type { Tables } from '../../store/tables/tables.ts';
import type { EventHub } from '../event-hub.ts';
import type { Accounts } from '../accounts/accounts.ts';
import type { Blocks } from '../people/blocks.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { Refusal } from '../refusal.ts';
import { CALL_RULES } from '../rules.ts';
import type { Wallets } from '../wallet/wallets.ts';
import type { Charges } from './charges.ts';
import { Meter, minuteBegins } from './meter.ts';
import { offerOf } from './offer.ts';

/** What billing needs of the exchange. */
export interface BilledCalls {
  onCall(listener: (event: CallEvent) => void): () => void;
  endCall(callId: string): void;
  readonly liveCalls: readonly { readonly callId: string }[];
}

/** A call that is billed. */
interface Session {
  readonly callId: string;
  readonly man: string;
  readonly woman: string;
  readonly kind: CallKind;
  /** Coins a minute. */
  readonly rate: number;
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
}

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly events: EventHub;
  readonly accounts: Accounts;
  readonly blocks: Blocks;
  readonly ledger: Ledger;
  readonly wallets: Wallets;
  readonly charges: Charges;
  readonly calls: BilledCalls;
}

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

  /** Closes what a server that is gone has left open, at the last minute that was charged. */
  async start(): Promise<void> {
    const { database, clock } = this.#with;
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

  /** Whether this call may be made, and what it costs. Between two of one kind nothing is billed. */
  async quote(caller: string, callee: string, kind: CallKind): Promise<Quote> {
    const { accounts, blocks, clock, database, ledger } = this.#with;
    const [one, other] = await Promise.all([accounts.find(caller), accounts.find(callee)]);
    const nothing = { rate: 0, max_minutes: null, coins: null };
    const isApart = caller === callee || (await blocks.isBlocked(caller, callee));
    if (!one || !other || one.isSuspended || other.isSuspended || isApart)
      return { ...nothing, allowed: false, reason: 'unavailable' };
    if (one.genderType === other.genderType) return { ...nothing, allowed: true, reason: null };
    const woman = one.genderType === 'woman' ? one.uId : other.uId;
    const { rate, accepts } = await offerOf(database.db, woman, kind, clock.now());
    // What she does not accept she may still dial herself.
    if (woman === callee && !accepts) return { ...nothing, allowed: false, reason: 'not_accepted' };
    const payer = woman === caller ? callee : caller;
    const coins = await ledger.balance(`coins:${payer}`);
    const minutes = rate === 0 ? null : Math.floor(coins / rate);
    const isPaid = minutes === null || minutes > 0;
    // What a man has is his to know.
    const seen = payer === caller ? { rate, max_minutes: minutes, coins } : { ...nothing, rate };
    if (isPaid) return { ...seen, allowed: true, reason: null };
    return { ...seen, allowed: false, reason: payer === caller ? 'insufficient_coins' : 'unavailable' };
  }

  /** Whether the exchange may put a call through. Of whom it does not know, it decides by itself. */
  async mayDial({ caller, callee, isVideoCall }: DialQuestion): Promise<boolean> {
    const { allowed, reason } = await this.quote(caller, callee, isVideoCall ? 'video' : 'voice');
    if (reason === 'unavailable') return (await this.#with.accounts.find(callee)) === undefined || caller === callee;
    return allowed;
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
    if (event.kind === 'held') session.meter.hold(event.at);
    else session.meter.resume(event.at);
    if (session.endsAt === null) this.#waitForMinute(session);
  }

  #opening(event: CallEvent): void {
    const { callId, caller, callee, isVideoCall, at } = event;
    const kind = isVideoCall ? 'video' : 'voice';
    // What happens to the call meanwhile waits for its session.
    const early: CallEvent[] = [];
    const stop = this.#with.calls.onCall((next) => {
      if (next.callId === callId) early.push(next);
    });
    const opening = this.#sessionOf({ callId, caller, callee, kind, at })
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

  async #sessionOf(call: {
    readonly callId: string;
    readonly caller: string;
    readonly callee: string;
    readonly kind: CallKind;
    readonly at: number;
  }): Promise<Session | null> {
    const { accounts, database, ledger } = this.#with;
    const { callId, kind, at } = call;
    const [one, other] = await Promise.all([accounts.find(call.caller), accounts.find(call.callee)]);
    if (!one || !other || one.genderType === other.genderType) return null;
    const [man, woman] = one.genderType === 'man' ? [one.uId, other.uId] : [other.uId, one.uId];
    const { rate } = await offerOf(database.db, woman, kind, at);
    if (rate === 0) return null;
    await database.transact(async (transaction) => {
      const made = await transaction
        .insertInto('ringback_charge_sessions')
        .values({
          session_id: callId,
          man,
          woman,
          kind,
          rate,
          count: 0,
          coins: 0,
          points: 0,
          started_at: at,
          duration: null,
          end_result: null,
          is_open: 1,
          touched_at: at,
        })
        .onConflict((conflict) => conflict.doNothing())
        .returning('session_id')
        .executeTakeFirst();
      if (!made || (await ledger.balance(`coins:${man}`, transaction)) < rate) return;
      await this.#hold(transaction, { callId, man }, rate, at);
    });
    return {
      callId,
      man,
      woman,
      kind,
      rate,
      meter: new Meter(at),
      minutes: 0,
      points: 0,
      lastPoints: 0,
      timer: null,
      endsAt: null,
      work: Promise.resolve(),
      isOver: false,
    };
  }

  /** Waits until the next minute begins, as long as it will. */
  #waitForMinute(session: Session): void {
    if (session.isOver) return;
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
    const { database, charges, clock } = this.#with;
    const { callId, man, woman, kind, rate } = session;
    const at = clock.now();
    try {
      const points = await database.transact(async (transaction) => {
        // Kept when it connected, for the first minute.
        if (minute === 1) await this.#release(transaction, session, at);
        const earned = await charges.take(transaction, {
          key: `call:${callId}:${minute}`,
          kind,
          at,
          man,
          woman,
          coins: rate,
          ref: { call: callId, minute },
        });
        // It was taken, and the database did not come to say so.
        if (earned === null) return charges.earnedBy(transaction, `call:${callId}:${minute}`);
        await transaction
          .updateTable('ringback_charge_sessions')
          .set(({ eb }) => ({
            count: minute,
            coins: eb('coins', '+', rate),
            points: eb('points', '+', earned),
            touched_at: at,
          }))
          .where('session_id', '=', callId)
          .execute();
        return earned;
      });
      session.minutes = minute;
      session.lastPoints = points;
      session.points += points;
      return true;
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== 'insufficient_coins') throw error;
      return false;
    }
  }

  async #close(session: Session, endResult: string, duration: number | null): Promise<void> {
    if (session.isOver) return;
    session.isOver = true;
    await this.#book(session, endResult, duration);
  }

  /** Writes down how a call ended, again and again until it is kept: what is held is to come free. */
  async #book(session: Session, endResult: string, duration: number | null): Promise<void> {
    const { database, charges, clock } = this.#with;
    const { callId, man, woman, kind, rate, minutes, lastPoints } = session;
    const at = clock.now();
    this.#wait(session, at + AGAIN_MS, () => this.#book(session, endResult, duration));
    // The minute in which the connection went was not had.
    const isGivenBack = endResult === 'connection_lost' && minutes > 0;
    await database.transact(async (transaction) => {
      await this.#release(transaction, session, at);
      const ref = { call: callId, minute: minutes };
      const charge = { key: `call:${callId}:${minutes}`, kind, at, man, woman, coins: rate, ref };
      const isNew = isGivenBack && (await charges.giveBack(transaction, charge, lastPoints));
      await transaction
        .updateTable('ringback_charge_sessions')
        .set(({ eb }) => ({
          is_open: 0,
          end_result: endResult,
          duration,
          touched_at: at,
          ...(isNew
            ? { count: minutes - 1, coins: eb('coins', '-', rate), points: eb('points', '-', lastPoints) }
            : {}),
        }))
        .where('session_id', '=', callId)
        .execute();
    });
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

  async #hold(
    transaction: Transaction<Tables>,
    { callId, man }: Pick<Session, 'callId' | 'man'>,
    coins: number,
    at: number,
  ): Promise<void> {
    await this.#with.ledger.post(transaction, {
      key: `call:${callId}:hold`,
      kind: 'hold',
      at,
      ref: { call: callId },
      lines: [
        { account: `coins:${man}`, delta: -coins },
        { account: `held:${man}`, delta: coins },
      ],
    });
  }

  /** Gives free what was kept for the first minute, once, if anything was. */
  async #release(
    transaction: Transaction<Tables>,
    { callId, man, rate }: Pick<Session, 'callId' | 'man' | 'rate'>,
    at: number,
  ): Promise<void> {
    const held = await transaction
      .selectFrom('ringback_transfers')
      .where('key', '=', `call:${callId}:hold`)
      .select('key')
      .executeTakeFirst();
    if (!held) return;
    await this.#with.ledger.post(transaction, {
      key: `call:${callId}:release`,
      kind: 'hold',
      at,
      ref: { call: callId },
      lines: [
        { account: `held:${man}`, delta: -rate },
        { account: `coins:${man}`, delta: rate },
      ],
    });
  }

  async #closeLeft(silentMs: number): Promise<void> {
    const { database, clock } = this.#with;
    const at = clock.now();
    const left = await database.db
      .selectFrom('ringback_charge_sessions')
      .where('is_open', '=', 1)
      .where('touched_at', '<=', at - silentMs)
      .selectAll()
      .execute();
    for (const { session_id: callId, man, rate, count } of left) {
      if (this.#sessions.has(callId)) continue;
      const duration = count === 0 ? 0 : minuteBegins(count + 1);
      await database.transact(async (transaction) => {
        await this.#release(transaction, { callId, man, rate: rate ?? 0 }, at);
        await transaction
          .updateTable('ringback_charge_sessions')
          .set({ is_open: 0, end_result: 'unknown', duration, touched_at: at })
          .where('session_id', '=', callId)
          .execute();
      });
    }
  }

  readonly #failed = (error: unknown): void => {
    this.#with.log.error('billing failed', { error });
  };
}

/**
 * When the call is ended for want of coins: null where there are some for the minute after this one. Before that minute
 * begins, as far as it can be foreseen.
 */
function endsAt({ isOver, endsAt: ends, meter, minutes, rate }: Session, coins: number): number | null {
  if (isOver || ends !== null) return ends;
  const next = coins < rate ? meter.reaches(minuteBegins(minutes + 1)) : null;
  return next === null || minutes === 0 ? null : next + CALL_RULES.graceMs;
}
