import type { SummaryBody } from '../../src/protocol/http.ts';
import type { PushTokenType } from '../../src/protocol/enumerations.ts';
import type { EndRecord } from '../exchange/call.ts';
import type { CustomItems } from '../exchange/custom-items.ts';
import type { DeviceId } from '../exchange/sessions.ts';
import type { HistoryPage, HistoryRequest, PushToken, Store } from '../exchange/store.ts';

/** A store that lives as long as its process: for virtual time, where nothing may wait for a database. */
export class MemoryStore implements Store {
  readonly #calls = new Map<string, EndRecord>();
  readonly #tokens: PushToken[] = [];
  readonly #summaries = new Map<string, Map<string, SummaryBody>>();

  async saveCall(record: EndRecord): Promise<void> {
    if (!this.#calls.has(record.callId)) this.#calls.set(record.callId, record);
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

  async savePushToken(token: PushToken, isUnique: boolean): Promise<void> {
    this.#removeTokens((other) => isSameToken(other, token) && (isUnique || other.userId === token.userId));
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
