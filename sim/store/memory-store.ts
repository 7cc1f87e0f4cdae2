import type { SummaryBody } from '../../src/protocol/http.ts';
import type { PushTokenType } from '../../src/protocol/enumerations.ts';
import type { EndRecord } from '../exchange/calls/call.ts';
import type { CustomItems } from '../exchange/calls/custom-items.ts';
import type { DeviceId } from '../exchange/directory/sessions.ts';
import type { LiveCall, LiveSignal, Moment } from '../exchange/calls/live-call.ts';
import { MemoryRooms } from './memory-rooms.ts';
import {
  ALL_SAVED,
  type HistoryPage,
  type HistoryRequest,
  type KeptCall,
  type NotSaved,
  type Owner,
  type PushToken,
  type RefusedRecord,
  type Store,
} from '../exchange/store.ts';

interface LiveRow {
  exchange: string;
  /** JSON text, so that the store shares no object with its caller. */
  readonly body: string;
  signals: readonly LiveSignal[];
}

/** A store in the memory of its process, for virtual time, in which a test cannot wait for a database. */
export class MemoryStore implements Store {
  readonly rooms = new MemoryRooms();
  readonly #exchanges = new Map<string, { readonly epoch: number; readonly seen: Moment; readonly hasLeft: boolean }>();
  readonly #live = new Map<string, LiveRow>();
  readonly #calls = new Map<string, EndRecord>();
  readonly #tokens: PushToken[] = [];
  readonly #callers = new Set<string>();
  readonly #summaries = new Map<string, Map<string, SummaryBody>>();

  async saveCalls(records: readonly EndRecord[]): Promise<readonly RefusedRecord[]> {
    for (const record of records) {
      if (!this.#calls.has(record.callId)) this.#calls.set(record.callId, record);
      this.#live.delete(record.callId);
    }
    return [];
  }

  async takeLiveCalls(name: string, seen: Moment, before: number): ReturnType<Store['takeLiveCalls']> {
    const mine = [...this.#live].filter(([, { exchange }]) => exchange === name || this.#isGone(exchange, before));
    const calls = mine.map(([callId, row]) => this.#keptOf(callId, row));
    for (const [, row] of mine) row.exchange = name;
    const owner = { name, epoch: (this.#exchanges.get(name)?.epoch ?? 0) + 1 };
    this.#exchanges.set(name, { epoch: owner.epoch, seen, hasLeft: false });
    return { owner, calls };
  }

  async saveLiveCalls(
    { name, epoch }: Owner,
    seen: Moment,
    calls: readonly LiveCall[],
    signals: readonly LiveSignal[],
  ): Promise<NotSaved> {
    if (this.#exchanges.get(name)?.epoch !== epoch) return { ...ALL_SAVED, isReplaced: true };
    this.#exchanges.set(name, { epoch, seen, hasLeft: false });
    for (const call of calls) {
      const former = this.#live.get(call.callId)?.signals ?? [];
      const added = signals.filter(({ callId }) => callId === call.callId);
      const isKept = ({ side, clientId, sequence }: LiveSignal) =>
        call.legs.some((leg) => leg.side === side && leg.clientId === clientId && leg.firstSignal <= sequence);
      this.#live.set(call.callId, {
        exchange: name,
        body: JSON.stringify(call),
        signals: [...former, ...added].filter(isKept).toSorted((one, other) => one.sequence - other.sequence),
      });
    }
    return ALL_SAVED;
  }

  async leaveLiveCalls({ name, epoch }: Owner): Promise<void> {
    const known = this.#exchanges.get(name);
    if (known?.epoch === epoch) this.#exchanges.set(name, { ...known, hasLeft: true });
  }

  async abandonedCalls(before: number): Promise<readonly KeptCall[]> {
    return [...this.#live].flatMap(([callId, row]) =>
      (this.#exchanges.get(row.exchange)?.seen.at ?? 0) < before ? [this.#keptOf(callId, row)] : [],
    );
  }

  async forgetLiveCalls(callIds: readonly string[]): Promise<void> {
    for (const callId of callIds) this.#live.delete(callId);
  }

  /** Every call that ended, in the order in which it was stored. */
  get records(): readonly EndRecord[] {
    return [...this.#calls.values()];
  }

  async history({
    userId,
    role,
    endResults,
    from,
    to,
    limit,
    after,
  }: HistoryRequest): Promise<HistoryPage | undefined> {
    const theirs = [...this.#calls.values()].filter((call) => roleIn(call, userId) !== null).sort(newestFirst);
    const start = after === null ? 0 : theirs.findIndex(({ callId }) => callId === after) + 1;
    if (after !== null && start === 0) return undefined;
    const found = theirs
      .slice(start)
      .filter(
        (call) =>
          (role === null || roleIn(call, userId) === role) &&
          (endResults.length === 0 || endResults.includes(call.endResult)) &&
          call.createdAt >= from &&
          call.createdAt <= to,
      );
    return { calls: found.slice(0, limit), hasMore: found.length > limit };
  }

  async call(callId: string): Promise<EndRecord | undefined> {
    return this.#calls.get(callId);
  }

  async replaceCustomItems(callId: string, affectedAt: number, items: CustomItems): Promise<boolean> {
    const call = this.#calls.get(callId);
    if (call?.itemsAffectedAt !== affectedAt) return false;
    this.#calls.set(callId, { ...call, customItems: items.items, itemsAffectedAt: items.affectedAt });
    return true;
  }

  async savePushToken(token: PushToken, isUnique: boolean, most: number): Promise<void> {
    this.#removeTokens((other) => isSameToken(other, token) && (isUnique || other.userId === token.userId));
    const others = this.#tokens.filter(({ userId, type }) => userId === token.userId && type === token.type);
    const excess = new Set(others.slice(0, Math.max(0, others.length + 1 - most)));
    this.#removeTokens((other) => excess.has(other));
    this.#tokens.push(token);
  }

  async removePushToken(token: PushToken): Promise<boolean> {
    return this.#removeTokens((other) => isSameToken(other, token) && other.userId === token.userId) > 0;
  }

  async removePushTokens(userId: string, type: PushTokenType): Promise<void> {
    this.#removeTokens((other) => other.userId === userId && other.type === type);
  }

  async pushTokens(userId: string): Promise<readonly PushToken[]> {
    return this.#tokens.filter((token) => token.userId === userId);
  }

  async saveSummary(callId: string, { userId, clientId }: DeviceId, summary: SummaryBody): Promise<void> {
    const ofCall = this.#summaries.get(callId) ?? new Map<string, SummaryBody>();
    const device = JSON.stringify([userId, clientId]);
    if (!ofCall.has(device)) ofCall.set(device, summary);
    this.#summaries.set(callId, ofCall);
  }

  async summaries(callId: string): Promise<readonly SummaryBody[]> {
    return [...(this.#summaries.get(callId)?.values() ?? [])];
  }

  async saveCaller(userId: string): Promise<void> {
    this.#callers.add(userId);
  }

  async callers(): Promise<readonly string[]> {
    return [...this.#callers];
  }

  async isCaller(userId: string): Promise<boolean> {
    return this.#callers.has(userId);
  }

  async forgetCaller(userId: string): Promise<void> {
    this.#callers.delete(userId);
  }

  /** Returns whether an exchange has left, or has not written since that time. */
  #isGone(name: string, before: number): boolean {
    const known = this.#exchanges.get(name);
    return !known || known.hasLeft || known.seen.at < before;
  }

  #keptOf(callId: string, { exchange, body, signals }: LiveRow): KeptCall {
    const seen = this.#exchanges.get(exchange)?.seen ?? { at: 0, clock: 0 };
    return { callId, body: JSON.parse(body), signals, seen };
  }

  #removeTokens(isGone: (token: PushToken) => boolean): number {
    const kept = this.#tokens.filter((token) => !isGone(token));
    const gone = this.#tokens.length - kept.length;
    this.#tokens.splice(0, Infinity, ...kept);
    return gone;
  }
}

const isSameToken = (one: PushToken, other: PushToken) => one.type === other.type && one.token === other.token;

function roleIn({ participants: [caller, callee] }: EndRecord, userId: string): HistoryRequest['role'] {
  if (caller.user_id === userId) return 'dc_caller';
  return callee.user_id === userId ? 'dc_callee' : null;
}

function newestFirst(one: EndRecord, other: EndRecord): number {
  if (one.createdAt !== other.createdAt) return other.createdAt - one.createdAt;
  return one.callId < other.callId ? 1 : -1;
}
