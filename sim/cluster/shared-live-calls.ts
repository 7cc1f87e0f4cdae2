import * as v from 'valibot';
import type { LiveCall, LiveSignal, Moment } from '../exchange/calls/live-call.ts';
import { ALL_SAVED, type KeptCall, type NotSaved, type Owner, type Store } from '../exchange/store.ts';
import { NUMBERS_APART } from '../exchange/delivery/signal-log.ts';
import { CALL_LIFE_MS, callKey, callsKey } from './keys.ts';
import type { NodeName } from './node-link.ts';
import { type FieldChange, type SharedState, StateUnreachable } from './shared-state.ts';

const named = v.object({ user_id: v.string() });
const withUsers = v.object({ callerUser: named, calleeUser: named });
/** The parts of a stored call that show how far it is, and which numbers its signals have. */
const progress = v.object({
  state: v.object({ name: v.picklist(['ringing', 'accepted', 'connected']) }),
  begunAt: v.nullable(v.object({})),
  legs: v.array(v.object({ lastSignal: v.number() })),
});

const OWNER = 'owner';
/** The term of the claim, a number. Each claim of a call has a higher one than the claims before. Absent: 0. */
const TERM = 'term';
const BODY = 'body';
const SEEN = 'seen';
const SIGNAL = 'signal';
const signalField = ({ side, clientId, sequence }: Omit<LiveSignal, 'callId' | 'frame'>) =>
  `${SIGNAL} ${side} ${sequence} ${clientId}`;

/** What became of a call whose node has died. */
export type Claimed =
  /** This node owns it now. */
  | { readonly is: 'mine'; readonly kept: KeptCall }
  /** Another node owns it. */
  | { readonly is: 'taken'; readonly by: NodeName }
  /** It has ended, or never was. */
  | { readonly is: 'over' };

/** Handles a call that this node owns again. `lastSignal` is the highest number of a signal that the other node has stored. */
export type TakenBack = (callId: string, lastSignal: number) => void;

/** The records of ended calls. */
export interface EndedCalls {
  /** Returns the record of a call. Undefined without one. Rejects when the database does not answer. */
  call(callId: string): Promise<unknown>;
  /** Returns whether a call has a record. False also when the database does not answer soon: a live call goes on without it. */
  hasSoon(callId: string): Promise<boolean>;
}

/**
 * The live calls of a cluster in its shared state. Each call has an owner, and each write expects it: a node that lost
 * a call to another node cannot write it any more. The records of ended calls are in the store of the database.
 */
export class SharedLiveCalls {
  readonly #state: SharedState;
  readonly #node: NodeName;
  readonly #records: EndedCalls;
  /** The live calls that this node has written, with the signals of each leg that the state has. */
  readonly #written = new Map<string, Map<string, { first: number; last: number }>>();
  /** The terms of the claims by which this node owns calls. Absent for a call that it has begun, whose term is 0. */
  readonly #terms = new Map<string, number>();
  /** The live calls that this node has tried to write, as it last did. The state may have one without an answer. */
  readonly #tried = new Map<string, { readonly call: LiveCall; readonly seen: Moment }>();
  /** The calls in the list of this node, from which other nodes learn what to adopt. */
  readonly #listed = new Set<string>();
  /** The calls that are over and may still be in the state. */
  readonly #over = new Set<string>();

  readonly #onTakenBack: TakenBack;
  readonly #time: () => number;

  /**
   * @param onTakenBack - called with a call that this node has taken from the node that wrote it.
   * @param time - returns the time of the state, so that terms grow also when it has lost its keys. Milliseconds.
   */
  constructor(
    state: SharedState,
    node: NodeName,
    records: EndedCalls,
    onTakenBack: TakenBack = () => undefined,
    time: () => number = () => 0,
  ) {
    this.#state = state;
    this.#node = node;
    this.#records = records;
    this.#onTakenBack = onTakenBack;
    this.#time = time;
  }

  /** A node starts with a new name, so it owns no call yet. */
  take(name: string): { owner: Owner; calls: readonly KeptCall[] } {
    return { owner: { name, epoch: 1 }, calls: [] };
  }

  /**
   * Writes calls. When the state cannot be reached, the calls go on without it: the exchange writes all of them again
   * when it can be.
   */
  async save(seen: Moment, calls: readonly LiveCall[], signals: readonly LiveSignal[]): Promise<NotSaved> {
    return (await orUnreached(() => this.#save(seen, calls, signals))) ?? ALL_SAVED;
  }

  async #save(seen: Moment, calls: readonly LiveCall[], signals: readonly LiveSignal[]): Promise<NotSaved> {
    const ofCall = new Map<string, LiveSignal[]>(calls.map(({ callId }) => [callId, []]));
    for (const signal of signals) ofCall.get(signal.callId)?.push(signal);
    const outcomes = await Promise.all(calls.map((call) => this.#saveCall(seen, call, ofCall.get(call.callId) ?? [])));
    const idsOf = (outcome: 'lost' | 'missing') =>
      calls.flatMap(({ callId }, at) => (outcomes[at] === outcome ? [callId] : []));
    const lost = idsOf('lost');
    for (const callId of lost) this.letGo(callId);
    return { ...ALL_SAVED, lost, missing: idsOf('missing') };
  }

  /** Forgets a live call that belongs to another node now. */
  letGo(callId: string): void {
    for (const calls of [this.#written, this.#terms, this.#tried, this.#listed]) calls.delete(callId);
  }

  /** Removes live calls that are over. When the state cannot be reached, {@link again} removes them. */
  async forget(callIds: readonly string[]): Promise<void> {
    for (const callId of callIds) {
      this.letGo(callId);
      this.#over.add(callId);
    }
    await this.again();
  }

  /** Removes the calls that ended while the state could not be reached. */
  async again(): Promise<void> {
    const over = [...this.#over];
    if (over.length === 0) return;
    await orUnreached(async () => {
      await this.#state.remove(over.map(callKey));
      await this.#state.changeFields(callsKey(this.#node), { remove: over, lifeMs: CALL_LIFE_MS });
      for (const callId of over) this.#over.delete(callId);
    });
  }

  /**
   * Returns the owner of a live call. Null for a call that is over. Takes a call back to which this node has the better claim.
   * Rejects with StateUnreachable, and when the database does not answer.
   */
  async ownerOf(callId: string): Promise<NodeName | null> {
    const owner = await this.ownerNow(callId);
    if (owner !== undefined) return owner;
    // The state does not have the call yet, or has lost its keys, unless another node ended it.
    return (await this.#records.call(callId)) === undefined ? this.#node : null;
  }

  /** Returns the term of the claim by which this node owns a call. 0 for a call that it has begun. */
  termOf(callId: string): number {
    return this.#terms.get(callId) ?? 0;
  }

  /** Returns the users of the live calls that a node owned, by call. */
  async ownedBy(node: NodeName): Promise<ReadonlyMap<string, readonly string[]>> {
    const owned = await this.#state.fields(callsKey(node));
    return new Map([...owned].map(([callId, users]) => [callId, users.split('\n')]));
  }

  /** Forgets that a dead node owned a call. */
  async disown(node: NodeName, callId: string): Promise<void> {
    await this.#state.changeFields(callsKey(node), { remove: [callId], lifeMs: CALL_LIFE_MS });
  }

  /**
   * Claims a call of a dead node for this one. Of several nodes that claim it one succeeds.
   *
   * @param isAlive - returns whether another node may still act on its calls.
   */
  async claim(callId: string, isAlive: (node: NodeName) => Promise<boolean>): Promise<Claimed> {
    const key = callKey(callId);
    const fields = await this.#state.fields(key);
    const owner = fields.get(OWNER);
    const body = fields.get(BODY);
    if (owner === undefined || body === undefined) return { is: 'over' };
    if (owner === this.#node) return this.#written.has(callId) ? { is: 'taken', by: owner } : this.#own(callId, fields);
    if (await isAlive(owner)) return { is: 'taken', by: owner };
    if ((await this.#records.call(callId)) !== undefined) {
      // Its node died after the record was stored.
      await this.#state.remove([key]);
      return { is: 'over' };
    }
    const term = this.#nextTerm(termOf(fields));
    const change: FieldChange = {
      where: { field: OWNER, is: owner },
      set: { [OWNER]: this.#node, [TERM]: String(term) },
      lifeMs: CALL_LIFE_MS,
    };
    if (!(await this.#state.changeFields(key, change))) return this.claim(callId, isAlive);
    return this.#own(callId, new Map(fields).set(TERM, String(term)));
  }

  async #own(callId: string, fields: ReadonlyMap<string, string>): Promise<Claimed> {
    const kept = keptOf(callId, fields);
    const ranges = new Map<string, { first: number; last: number }>();
    for (const { side, clientId, sequence } of kept.signals) {
      const leg = `${side} ${clientId}`;
      ranges.set(leg, { first: ranges.get(leg)?.first ?? sequence, last: sequence });
    }
    this.#written.set(callId, ranges);
    this.#terms.set(callId, termOf(fields));
    return { is: 'mine', kept };
  }

  /** Lists a call that was claimed among those of this node. */
  async list({ callId, body }: KeptCall): Promise<void> {
    const users = v.safeParse(withUsers, body);
    if (users.success) await this.#list(callId, users.output);
  }

  async #list(callId: string, { callerUser, calleeUser }: v.InferOutput<typeof withUsers>): Promise<void> {
    const users = [callerUser.user_id, calleeUser.user_id].join('\n');
    await this.#state.changeFields(callsKey(this.#node), { set: { [callId]: users }, lifeMs: CALL_LIFE_MS });
    this.#listed.add(callId);
  }

  async #saveCall(seen: Moment, call: LiveCall, signals: readonly LiveSignal[]): Promise<'saved' | 'lost' | 'missing'> {
    const { callId } = call;
    const written = this.#written.get(callId);
    // The state may have accepted an earlier write without an answer, and another node may have ended the call since.
    if (!written && this.#tried.has(callId) && (await this.#records.hasSoon(callId))) return 'lost';
    this.#tried.set(callId, { call, seen });
    const ranges = new Map(written);
    const remove: string[] = [];
    for (const { side, clientId, firstSignal } of call.legs) {
      const leg = `${side} ${clientId}`;
      const range = ranges.get(leg) ?? { first: firstSignal, last: firstSignal - 1 };
      for (let sequence = range.first; sequence < firstSignal; sequence += 1) {
        remove.push(signalField({ side, clientId, sequence }));
      }
      ranges.set(leg, { first: Math.max(range.first, firstSignal), last: range.last });
    }
    // First, so that a call without an answer of the state is in the list when it is in the state.
    const listing = this.#listed.has(callId) ? null : this.#list(callId, call);
    const saving = this.#state.changeFields(callKey(callId), {
      where: { field: OWNER, is: written ? this.#node : null },
      set: {
        [OWNER]: this.#node,
        // The state may have lost it.
        ...this.#termField(callId),
        [BODY]: JSON.stringify(call),
        [SEEN]: JSON.stringify(seen),
        ...Object.fromEntries(signals.map((signal) => [signalField(signal), signal.frame])),
      },
      remove,
      lifeMs: CALL_LIFE_MS,
    });
    const [isSaved] = await Promise.all([saving, listing]);
    if (!isSaved && !written) {
      // The state may have accepted an earlier change of this node without an answer.
      const fields = await this.#state.fields(callKey(callId));
      if (fields.get(OWNER) === this.#node) {
        const isTakenBack = termOf(fields) > this.termOf(callId);
        this.#written.set(callId, new Map());
        this.#terms.set(callId, termOf(fields));
        if (!isTakenBack) return this.#saveCall(seen, call, signals);
        // The numbers of the other node are not known any more. It began that far above those of this one.
        this.#onTakenBack(callId, NUMBERS_APART + Math.max(0, ...call.legs.map(({ lastSignal }) => lastSignal)));
        return 'missing';
      }
    }
    if (!isSaved) return this.#whyNot(callId);
    // The call may have been forgotten meanwhile.
    if (this.#tried.has(callId)) this.#written.set(callId, ranges);
    return 'saved';
  }

  #nextTerm(term: number): number {
    return Math.max(term + 1, Math.floor(this.#time()));
  }

  /** Returns the field for the term of a call. A call that never moved has none, as at a node of a former version. */
  #termField(callId: string): Readonly<Record<string, string>> {
    const term = this.#terms.get(callId);
    return term === undefined ? {} : { [TERM]: String(term) };
  }

  /**
   * Returns the owner of a call in the state. Takes the call back first when this node has the better claim.
   *
   * The call may be further here than at the node that adopted it: this node was only cut off from the state. Or both
   * are as far, and this node claimed it later. Then the state has lost its keys, and the other node wrote its call first.
   * Undefined when the state does not have the call. Rejects with StateUnreachable.
   */
  async ownerNow(callId: string): Promise<NodeName | undefined> {
    const key = callKey(callId);
    const fields = await this.#state.fields(key);
    const [owner, body] = [fields.get(OWNER), fields.get(BODY)];
    const tried = this.#tried.get(callId);
    if (owner === undefined || owner === this.#node || body === undefined) return owner;
    if (!tried) return owner;
    const there = v.safeParse(progress, JSON.parse(body));
    if (!there.success) return owner;
    const further = stepOf(tried.call) - stepOf(there.output);
    const [term, termThere] = [this.termOf(callId), termOf(fields)];
    if (further < 0 || (further === 0 && term <= termThere)) return owner;
    const newTerm = this.#nextTerm(Math.max(term, termThere));
    // The state may not answer. The next write then finds out what the state has, and lists the call again.
    this.#written.delete(callId);
    this.#listed.delete(callId);
    const isTaken = await this.#state.changeFields(key, {
      // The other node may have continued the call meanwhile.
      where: { field: BODY, is: body },
      // The moments of the call are by the clock of this node, so SEEN must be too.
      set: {
        [OWNER]: this.#node,
        [TERM]: String(newTerm),
        [BODY]: JSON.stringify(tried.call),
        [SEEN]: JSON.stringify(tried.seen),
      },
      // The signals of this node have other numbers. It writes them again.
      remove: [...fields.keys()].filter((field) => field.startsWith(`${SIGNAL} `)),
      lifeMs: CALL_LIFE_MS,
    });
    if (!isTaken) return this.ownerNow(callId);
    this.#written.set(callId, new Map());
    this.#terms.set(callId, newTerm);
    // First, since the state may not answer any more.
    this.#onTakenBack(callId, Math.max(0, ...there.output.legs.map(({ lastSignal }) => lastSignal)));
    await this.disown(owner, callId);
    return this.#node;
  }

  /** Returns the owner of a call in the state. Undefined when the state does not have it. Rejects with StateUnreachable. */
  async ownerIn(callId: string): Promise<NodeName | undefined> {
    return (await this.#state.fields(callKey(callId))).get(OWNER);
  }

  async #whyNot(callId: string): Promise<'lost' | 'missing'> {
    this.#written.delete(callId);
    this.#listed.delete(callId);
    const owner = await this.ownerNow(callId);
    if (owner === this.#node) return 'missing';
    if (owner !== undefined) return 'lost';
    // The state has lost its keys, or another node has adopted and ended the call.
    return (await this.#records.hasSoon(callId)) ? 'lost' : 'missing';
  }
}

/** Returns the result of the work. Undefined when the state cannot be reached. */
async function orUnreached<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof StateUnreachable) return undefined;
    throw error;
  }
}

/**
 * Returns how far a call is: it rings, it was accepted, or its media has begun. Only the last one has books, so a node
 * whose call is not that far loses none.
 */
function stepOf({ state, begunAt }: Pick<v.InferOutput<typeof progress>, 'state' | 'begunAt'>): number {
  if (begunAt !== null) return 2;
  return state.name === 'ringing' ? 0 : 1;
}

const termOf = (fields: ReadonlyMap<string, string>): number => Number(fields.get(TERM) ?? 0);

function keptOf(callId: string, fields: ReadonlyMap<string, string>): KeptCall {
  const signals = [...fields].flatMap(([field, frame]): LiveSignal[] => {
    const [kind, side, sequence, ...client] = field.split(' ');
    if (kind !== SIGNAL || (side !== 'caller' && side !== 'callee')) return [];
    return [{ callId, side, clientId: client.join(' '), sequence: Number(sequence), frame }];
  });
  const seen = JSON.parse(fields.get(SEEN) ?? '{"at":0,"clock":0}') as Moment;
  return {
    callId,
    body: JSON.parse(fields.get(BODY) ?? 'null'),
    signals: signals.toSorted((one, other) => one.sequence - other.sequence),
    seen,
  };
}

/**
 * Returns the store of an exchange whose live calls are in the shared state, and everything else, except rooms, in the
 * database. To save a record does not remove its live call. The shared state may be slow, and records do not wait for it.
 *
 * @param onEnded - called with the calls whose records are stored.
 */
export function storeWithLiveCalls(
  store: Store,
  live: SharedLiveCalls,
  onEnded: (callIds: readonly string[]) => void,
): Omit<Store, 'rooms'> {
  return {
    liveCallPlace: 'cluster',
    async saveCalls(records) {
      const refused = await store.saveCalls(records);
      onEnded(records.map(({ callId }) => callId));
      return refused;
    },
    async takeLiveCalls(name) {
      return live.take(name);
    },
    saveLiveCalls: (_, seen, calls, signals) => live.save(seen, calls, signals),
    async leaveLiveCalls() {
      // Another node adopts the calls when their devices ask for them.
    },
    async abandonedCalls() {
      return [];
    },
    forgetLiveCalls: (callIds) => live.forget(callIds),
    history: (request) => store.history(request),
    call: (callId) => store.call(callId),
    replaceCustomItems: (callId, affectedAt, items) => store.replaceCustomItems(callId, affectedAt, items),
    savePushToken: (token, isUnique, most) => store.savePushToken(token, isUnique, most),
    removePushToken: (token) => store.removePushToken(token),
    removePushTokens: (userId, type) => store.removePushTokens(userId, type),
    pushTokens: (userId) => store.pushTokens(userId),
    saveSummary: (callId, device, summary) => store.saveSummary(callId, device, summary),
    summaries: (callId) => store.summaries(callId),
    saveCaller: (userId) => store.saveCaller(userId),
    callers: () => store.callers(),
    isCaller: (userId) => store.isCaller(userId),
    forgetCaller: (userId) => store.forgetCaller(userId),
  };
}
