import { endRecordOf } from './abandoned-call.ts';
import { legsOf, type Call, type EndRecord, type Leg } from './call.ts';
import { logRefused } from './call-records.ts';
import type { KeptSignal } from '../delivery/signal-log.ts';
import { type WriteQueue, WriteSubject } from '../delivery/write-queue.ts';
import { type LiveCall, type LiveLeg, type LiveSignal, momentOf } from './live-call.ts';
import type { Log } from '../logging/log.ts';
import type { Clock, Timer } from '../../../src/common/clock.ts';
import { textWithoutSecrets } from '../directory/secrets.ts';
import type { DeviceId } from '../directory/sessions.ts';
import type { ExchangeSettings } from '../settings.ts';
import type { KeptCall, LiveCallStore, NotSaved, Owner, Store } from '../store.ts';

/**
 * The interval of the exchange's liveness writes, milliseconds. It bounds the error of the end of an abandoned call.
 */
const BEAT_MS = 5_000;
/**
 * The writes to a file after the last call. The first one removes what ended calls left. While
 * records still wait, the second one leaves them alone.
 */
const WRITES_AFTER = 2;
/** In a database of one exchange, another name without writes for this long has stopped. Milliseconds. */
const SILENT_MS = 3 * BEAT_MS;
/** The interval of the search for abandoned calls, milliseconds. */
const SWEEP_MS = 60_000;

export interface LiveCallsOptions {
  readonly store: LiveCallStore & Pick<Store, 'saveCalls'>;
  /** The name of this exchange, the same at each start. */
  readonly name: string;
  readonly writeQueue: WriteQueue;
  readonly clock: Clock;
  readonly log: Log;
  /** Returns the hash of the session of a device. Null without a session. */
  readonly sessionOf: (device: DeviceId) => string | null;
  readonly settings: Pick<ExchangeSettings, 'liveCalls' | 'abandonedMs'>;
  /** Called with the id of each call that another exchange owns now. */
  readonly onLost?: (callId: string) => void;
}

/**
 * Writes live calls to the store, so that a restarted exchange can continue them. Changes of one turn of the event
 * loop, and changes while the store is busy, share one write.
 */
export class LiveCalls {
  readonly #options: LiveCallsOptions;
  /** The stored calls, by id. */
  readonly #kept = new Map<string, Call>();
  readonly #changed = new Set<Call>();
  /** The stored calls of which only signals are to be written. */
  readonly #relayed = new Set<Call>();
  readonly #subject = new WriteSubject();
  /** The ended calls whose records are saved, and which the store still has. */
  readonly #recorded = new Set<string>();
  readonly #removal = new WriteSubject();
  #owner: Owner | null = null;
  #beat: Timer | null = null;
  /** The writes since the last call. */
  #writesAfter = 0;
  #sweep: Timer | null = null;
  /** The calls that the last search found abandoned, with the last write of their exchange. */
  #suspected: ReadonlyMap<string, number> = new Map();

  constructor(options: LiveCallsOptions) {
    this.#options = options;
  }

  /** Starts, and returns the calls that this exchange owned when it stopped. Rejects when the store fails. */
  async take(): Promise<readonly KeptCall[]> {
    const { store, name, clock, log } = this.#options;
    const taken = await store.takeLiveCalls(name, momentOf(clock), clock.wallTime() - SILENT_MS);
    const { owner, calls, refused = [], unreadable = [], skipped = 0 } = taken;
    logRefused(log, refused);
    for (const call of unreadable) log.error('the record of a call cannot be read, and is lost', { call });
    if (skipped > 0) log.error('parts of the file of live calls cannot be read', { parts: skipped });
    this.#owner = owner;
    this.#sweepLater();
    return calls;
  }

  /** Marks a restored call and its signals as stored. */
  adopt(call: Call): void {
    this.#kept.set(call.id, call);
    for (const leg of legsOf(call)) leg.storedSignal = leg.signals.last;
    this.changed(call);
  }

  /** Marks a call whose state changes in this turn of the event loop. */
  changed(call: Call): void {
    // A media path may answer after the end.
    if (call.state.name === 'ended') return;
    const { settings, log } = this.#options;
    if (!this.#kept.has(call.id)) {
      if (this.#kept.size >= settings.liveCalls) {
        log.error('too many live calls: one will not survive a restart', { call: call.id });
        return;
      }
      this.#kept.set(call.id, call);
      for (const leg of legsOf(call)) leg.storedSignal = 0;
    }
    this.#changed.add(call);
    this.#writesAfter = 0;
    this.#ask();
    this.#beatLater();
  }

  /**
   * Marks a call with a new signal, of which nothing else changes in this turn of the event loop. A file gets
   * the signal alone, since most commands of a call are relayed.
   */
  relayed(call: Call): void {
    if (!this.#isInFile || !this.#kept.has(call.id)) return this.changed(call);
    this.#relayed.add(call);
    this.#ask();
    this.#beatLater();
  }

  /** Writes a call and all its signals again: the store has lost them. */
  again(call: Call): void {
    if (!this.#kept.has(call.id)) return;
    this.#anew(call);
    this.changed(call);
  }

  /** Makes the next write of a call one with all its signals. */
  #anew(call: Call): void {
    for (const leg of legsOf(call)) leg.storedSignal = 0;
    this.#changed.add(call);
  }

  /** Forgets a call that ended: its record replaces it. Null for a call that another exchange continues. */
  ended(call: Call, record: EndRecord | null): void {
    this.#kept.delete(call.id);
    for (const calls of [this.#changed, this.#relayed]) calls.delete(call);
    if (record) this.#options.store.endLiveCall?.(record);
  }

  /**
   * Removes ended calls from a cluster, after their records are saved. No message to a device of this node waits for it.
   * A node that adopts one meanwhile finds its record.
   */
  recorded(callIds: readonly string[]): void {
    const { store, writeQueue } = this.#options;
    if (store.liveCallPlace !== 'cluster') return;
    for (const callId of callIds) this.#recorded.add(callId);
    const remove = async (): Promise<void> => {
      const removed = [...this.#recorded];
      await store.forgetLiveCalls(removed);
      for (const callId of removed) this.#recorded.delete(callId);
    };
    writeQueue.keep('recorded calls', remove, { about: this.#removal, devices: [] });
  }

  /** Forgets every call without a record: for faults that are injected. */
  forget(): void {
    const callIds = [...this.#kept.keys()];
    this.#kept.clear();
    for (const calls of [this.#changed, this.#relayed]) calls.clear();
    this.#options.writeQueue.keep('forgotten calls', () => this.#options.store.forgetLiveCalls(callIds));
  }

  /** Writes for the last time before the exchange stops. Its calls continue without it. */
  leave(): void {
    const { writeQueue, store } = this.#options;
    for (const timer of [this.#beat, this.#sweep]) timer?.cancel();
    this.#beat = null;
    this.#sweep = null;
    const owner = this.#owner;
    if (!owner) return;
    this.#ask();
    writeQueue.keep('the stop of the exchange', async () => {
      await store.leaveLiveCalls(owner);
      this.#owner = null;
    });
  }

  get #isInFile(): boolean {
    return this.#options.store.liveCallPlace === 'file';
  }

  #ask(): void {
    this.#options.writeQueue.keep('live calls', () => this.#write(), { about: this.#subject });
  }

  async #write(): Promise<void> {
    const { store, clock, sessionOf } = this.#options;
    const owner = this.#owner;
    if (!owner) return;
    const calls = [...this.#changed];
    const relayed = [...this.#relayed].filter((call) => !this.#changed.has(call));
    this.#changed.clear();
    this.#relayed.clear();
    const bodies = calls.flatMap((call) => bodyOf(call, sessionOf) ?? []);
    const signals = [...calls, ...relayed].flatMap((call) => this.#newSignals(call));
    const saved = await store
      .saveLiveCalls(
        owner,
        momentOf(clock),
        bodies,
        signals.map(({ signal }) => signal),
      )
      .catch((error: unknown) => {
        // The write queue retries later with the state of that time.
        for (const call of [...calls, ...relayed]) if (this.#kept.has(call.id)) this.#changed.add(call);
        throw error;
      });
    // A leg whose signals are all to be written again has another number by now.
    for (const { leg, signal, follows } of signals)
      if (leg.storedSignal === follows) leg.storedSignal = signal.sequence;
    this.#handle(saved, owner);
  }

  #handle({ isReplaced, lost, missing }: NotSaved, { name }: Owner): void {
    if (isReplaced) {
      this.#owner = null;
      const { log } = this.#options;
      log.error('another exchange was started under the name of this one: calls here do not survive a restart', {
        name,
      });
    }
    for (const callId of missing) {
      const call = this.#kept.get(callId);
      if (!call) continue;
      // Writes to a file end in the same turn. There the next change of any call, or the beat, writes these calls too.
      if (this.#isInFile) this.#anew(call);
      else this.again(call);
    }
    for (const callId of lost) {
      this.#kept.delete(callId);
      this.#options.onLost?.(callId);
    }
  }

  /** Returns the signals of a call that are not stored, each with the number of the one that is stored before it. */
  #newSignals(call: Call): { leg: Leg; signal: LiveSignal; follows: number }[] {
    return legsOf(call).flatMap((leg) => {
      let follows = leg.storedSignal;
      return leg.signals.after(follows).map((kept) => {
        const signal = { leg, signal: signalOf(call, leg, kept), follows };
        follows = kept.sequence;
        return signal;
      });
    });
  }

  #beatLater(): void {
    const { clock } = this.#options;
    this.#beat ??= clock.after(BEAT_MS, () => {
      this.#beat = null;
      const areOver = this.#kept.size === 0;
      if (areOver && !this.#isInFile) return;
      this.#writesAfter = areOver ? this.#writesAfter + 1 : 0;
      this.#ask();
      if (this.#writesAfter < WRITES_AFTER) this.#beatLater();
    });
  }

  #sweepLater(): void {
    const { clock, log } = this.#options;
    this.#sweep = clock.after(SWEEP_MS, () => {
      this.#endAbandoned().catch((error: unknown) => log.error('abandoned calls could not be ended', { error }));
      this.#sweepLater();
    });
  }

  /**
   * Moves the calls of exchanges that did not restart into the history. Two searches in a row must find a call, without
   * a write of its exchange between them. So each exchange has time to write after an outage of the store. A write
   * proves that an exchange runs, also when the clocks of two exchanges differ.
   */
  async #endAbandoned(): Promise<void> {
    const { store, clock, log, settings } = this.#options;
    const found = await store.abandonedCalls(clock.wallTime() - settings.abandonedMs);
    const suspected = this.#suspected;
    this.#suspected = new Map(found.map(({ callId, seen }) => [callId, seen.at]));
    for (const kept of found) {
      if (suspected.get(kept.callId) !== kept.seen.at) continue;
      const record = endRecordOf(kept);
      log.warn('a call was abandoned by its exchange', { call: kept.callId });
      if (record) logRefused(log, await store.saveCalls([record]));
      else await store.forgetLiveCalls([kept.callId]);
    }
  }
}

/** Returns the stored form of a call. Undefined for one that is over. */
function bodyOf(call: Call, sessionOf: LiveCallsOptions['sessionOf']): LiveCall | undefined {
  const { state } = call;
  if (state.name === 'ended') return undefined;
  const { id: callId, isVideoCall, customItems, itemsAffectedAt, constraints, createdAt } = call;
  const { callerUser, calleeUser, dialReceived } = call;
  const { since } = state;
  return {
    callId,
    isVideoCall,
    customItems: { ...customItems },
    itemsAffectedAt,
    constraints,
    createdAt,
    callerUser,
    calleeUser,
    dialReceived,
    webhook: call.webhook?.target ?? null,
    begunAt: call.begunAt,
    state:
      state.name === 'ringing'
        ? { name: 'ringing', since }
        : { name: state.name, since, callee: state.callee.device.clientId },
    legs: legsOf(call).map((leg) => legBodyOf(leg, sessionOf(leg.device) ?? leg.session)),
  };
}

const legBodyOf = (leg: Leg, session: string | null): LiveLeg => ({
  side: leg.side,
  userId: leg.device.userId,
  clientId: leg.device.clientId,
  capabilities: [...leg.capabilities],
  media: leg.media,
  recording: leg.recording,
  onHold: leg.onHold,
  connectedAt: leg.connectedAt,
  hasDescribed: leg.hasDescribed,
  outcome: leg.outcome,
  request: leg.request,
  session,
  lost: leg.lost,
  firstSignal: leg.signals.first,
  lastSignal: leg.signals.last,
});

const signalOf = ({ id: callId }: Call, { side, device: { clientId } }: Leg, kept: KeptSignal): LiveSignal => ({
  callId,
  side,
  clientId,
  sequence: kept.sequence,
  frame: textWithoutSecrets(kept),
});
