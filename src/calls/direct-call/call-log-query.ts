import * as v from 'valibot';
import { directCallRole, END_RESULTS, type DirectCallRole, type EndResult } from '../../protocol/enumerations.ts';
import { CallError, ErrorCode, invalidType, invalidValue } from '../../protocol/errors.ts';
import type { CallRecordPayload, HistoryAnswer, HistoryQuery } from '../../protocol/http.ts';
import { LIMITS } from '../../protocol/limits.ts';
import { isEmpty, optionalNumber, requireObject } from '../host/checks.ts';
import { DirectCallUser, type DirectCallUserRole } from './call-identity.ts';
import type { Logger } from '../logging/log.ts';
import { answerHost } from '../host/call-host.ts';
import { DirectCallLog, endResultName, type DirectCallEndResult } from './direct-call-log.ts';

/** The filter and the page size of a query of the call history. Each field is optional. */
export interface DirectCallLogListQueryParams {
  /** Selects the calls that the user made, or those that the user got. Default: both. */
  myRole?: DirectCallUserRole | undefined;
  /** Selects the calls with these results, in upper or lower case. Default: all. */
  endResults?: readonly (DirectCallEndResult | EndResult)[] | undefined;
  /** The number of calls on a page, from 10 to 100. Default: 20. Other numbers are clamped. */
  limit?: number | undefined;
  /** The earliest time of the dial, in seconds since the epoch. Default: none. */
  start_ts?: number | undefined;
  /** The latest time of the dial, in seconds since the epoch. Default: none. */
  end_ts?: number | undefined;
}

export interface CallLogQueryOptions {
  /**
   * Requests one page.
   * @throws CallError when the request fails, and `INSTANCE_NOT_INITIALIZED` or `USER_NOT_AUTHENTICATED` without a
   *   signed-in user.
   */
  readonly fetch: (query: HistoryQuery) => Promise<HistoryAnswer>;
  readonly log: Pick<Logger, 'error'>;
}

/** A query of the calls of the user, newest first, page by page (§3, call history result). */
export class DirectCallLogListQuery {
  readonly #options: CallLogQueryOptions;
  readonly #filter: HistoryQuery;
  #cursor: string | null = null;
  #hasNext = true;
  #isLoading = false;

  /** @internal Queries are made by `createDirectCallLogListQuery`. */
  constructor(params: DirectCallLogListQueryParams | null | undefined, options: CallLogQueryOptions) {
    this.#options = options;
    this.#filter = checkParams(params);
  }

  /** False after the last page. True before the first page. */
  get hasNext(): boolean {
    return this.#hasNext;
  }

  /** True while a page is requested. */
  get isLoading(): boolean {
    return this.#isLoading;
  }

  /**
   * Requests the next page. Resolves to an empty list after the last page.
   *
   * A callback gets the list, which is empty beside an error.
   *
   * @throws CallError ERR_QUERY_IN_PROGRESS (1800206) while a page is requested; INSTANCE_NOT_INITIALIZED (1800302)
   *   before `init`; USER_NOT_AUTHENTICATED (1800303) before `authenticate` resolves; ERR_REQUEST_FAILED (1800200) when
   *   the request fails; the code of the exchange when it refuses.
   */
  next(callback?: ((logs: DirectCallLog[], error?: CallError) => void) | null): Promise<DirectCallLog[]> {
    const told = callback && ((logs?: DirectCallLog[], error?: CallError) => callback(logs ?? [], error));
    return answerHost(this.#options.log, 'the history callback', this.#page(), told);
  }

  async #page(): Promise<DirectCallLog[]> {
    if (this.#isLoading) throw new CallError(ErrorCode.ERR_QUERY_IN_PROGRESS);
    if (!this.#hasNext) return [];
    this.#isLoading = true;
    try {
      const next = this.#cursor === null ? {} : { next: this.#cursor };
      const answer = await this.#options.fetch({ ...this.#filter, ...next });
      const logs = answer.calls.map(logOf);
      this.#cursor = answer.next;
      // A following page without a cursor would be this page again.
      this.#hasNext = answer.has_next && answer.next !== null;
      return logs;
    } finally {
      this.#isLoading = false;
    }
  }
}

/**
 * Checks the parameters of a query.
 * @throws CallError `INVALID_PARAMETER_VALUE` or `INVALID_PARAMETER_TYPE` for the wrong parameter.
 */
function checkParams(params: DirectCallLogListQueryParams | null | undefined): HistoryQuery {
  const given: DirectCallLogListQueryParams = isEmpty(params) ? {} : requireObject(params, 'params');
  const { myRole, endResults } = given;
  if (!isEmpty(myRole) && !v.is(directCallRole, myRole)) {
    throw typeof myRole === 'string' ? invalidValue('myRole') : invalidType('myRole');
  }
  const { min, max, default: usual } = LIMITS.historyPage;
  const [from, to] = [optionalTime(given.start_ts, 'start_ts'), optionalTime(given.end_ts, 'end_ts')];
  if (from !== undefined && to !== undefined && from > to) throw invalidValue('start_ts');
  const results = isEmpty(endResults) ? [] : checkEndResults(endResults);
  return {
    limit: String(Math.min(max, Math.max(min, Math.trunc(optionalNumber(given.limit, 'limit') ?? usual)))),
    ...(myRole ? { role: myRole } : {}),
    ...(results.length > 0 ? { end_result: results.join(',') } : {}),
    ...(from === undefined ? {} : { start_ts: String(Math.trunc(from)) }),
    ...(to === undefined ? {} : { end_ts: String(Math.trunc(to)) }),
  };
}

function optionalTime(value: unknown, param: string): number | undefined {
  const seconds = optionalNumber(value, param);
  if (seconds !== undefined && (!Number.isFinite(seconds) || seconds < 0)) throw invalidValue(param);
  return seconds;
}

function checkEndResults(given: unknown): EndResult[] {
  if (!Array.isArray(given)) throw invalidType('endResults');
  return given.map((name) => {
    if (typeof name !== 'string') throw invalidType('endResults');
    const known = END_RESULTS.find((result) => result === name.toLowerCase());
    if (!known) throw invalidValue('endResults');
    return known;
  });
}

/**
 * Returns the participant with this role.
 * @throws CallError ERR_WRONG_RESPONSE (1800205) when no participant has it.
 */
function participant({ participants }: CallRecordPayload, role: DirectCallRole): DirectCallUser {
  const user = participants.find((one) => one.role === role);
  if (!user) throw new CallError(ErrorCode.ERR_WRONG_RESPONSE);
  return new DirectCallUser(user);
}

function logOf(record: CallRecordPayload): DirectCallLog {
  const [caller, callee] = [participant(record, 'dc_caller'), participant(record, 'dc_callee')];
  return new DirectCallLog({
    callId: record.call_id,
    isVideoCall: record.is_video_call,
    customItems: { ...record.custom_items },
    userRole: record.user_role,
    caller,
    callee,
    startedAt: record.started_at,
    endedAt: record.ended_at,
    endedBy: [caller, callee].find(({ userId }) => userId === record.ended_by) ?? null,
    duration: record.duration,
    endResult: endResultName(record.end_result),
    isFromServer: true,
  });
}
