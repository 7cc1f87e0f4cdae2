import * as v from 'valibot';
import { directCallRole, END_RESULTS } from '../../../src/protocol/enumerations.ts';
import { callId } from '../../../src/protocol/entities.ts';
import { CallError, ErrorCode } from '../../../src/protocol/errors.ts';
import type { CallRecordPayload, HistoryQuery, historyAnswer } from '../../../src/protocol/http.ts';
import { LIMITS } from '../../../src/protocol/limits.ts';
import type { EndRecord } from '../calls/call.ts';
import type { Core } from '../core.ts';
import type { HistoryRequest } from '../store.ts';
import type { HttpRequest, HttpResponse } from '../../http/request.ts';
import { authenticatedAs, refuse, readValue } from './request.ts';

const { default: PAGE, min, max } = LIMITS.historyPage;

const limit = v.pipe(v.string(), v.nonEmpty(), v.toNumber(), v.toMinValue(min), v.toMaxValue(max), v.integer());
/** Seconds within the range of a Date. */
const seconds = v.pipe(v.string(), v.nonEmpty(), v.toNumber(), v.finite(), v.minValue(0), v.maxValue(8.64e12));
const endResults = v.pipe(
  v.string(),
  v.transform((list) => (list === '' ? [] : list.toLowerCase().split(','))),
  v.array(v.picklist(END_RESULTS)),
);

/**
 * Handles `GET /v1/users/{userId}/calls`: a page of the user's own history, newest call first. The cursor is the last
 * call of the former page, so pages stay complete while new calls end. An invented cursor finds nothing.
 *
 * @throws HttpRefusal 400 with `INVALID_PARAMETER_VALUE` and the wrong query parameter. 401. 403 with
 *   `ERR_NO_PERMISSION` for another user's history.
 */
export async function history(core: Core, request: HttpRequest, userId: string): Promise<HttpResponse> {
  authenticatedAs(core, request, userId);
  const wanted = readQuery(userId, request.query);
  await core.writeQueue.settled();
  const page = await core.store.history(wanted);
  if (!page) throw refuse(400, new CallError(ErrorCode.INVALID_PARAMETER_VALUE, { param: 'next' }));
  const answer: v.InferOutput<typeof historyAnswer> = {
    calls: page.calls.map((record) => payloadOf(record, userId)),
    next: page.hasMore ? (page.calls.at(-1)?.callId ?? null) : null,
    has_next: page.hasMore,
  };
  return { status: 200, body: answer };
}

function readQuery(userId: string, query: HistoryQuery): HistoryRequest {
  const read = <T extends v.GenericSchema, E>(schema: T, name: keyof HistoryQuery, otherwise: E) =>
    query[name] === undefined ? otherwise : readValue(schema, query[name], name);
  const from = Math.floor(read(seconds, 'start_ts', 0));
  const to = Math.floor(read(seconds, 'end_ts', 8.64e12));
  if (from > to) throw refuse(400, new CallError(ErrorCode.INVALID_PARAMETER_VALUE, { param: 'start_ts' }));
  return {
    userId,
    role: read(directCallRole, 'role', null),
    endResults: read(endResults, 'end_result', []),
    from: from * 1_000,
    // The last second counts whole.
    to: to * 1_000 + 999,
    limit: read(limit, 'limit', PAGE),
    after: read(callId, 'next', null),
  };
}

function payloadOf(record: EndRecord, userId: string): CallRecordPayload {
  const [caller, callee] = record.participants;
  return {
    call_id: record.callId,
    call_type: 'direct',
    is_video_call: record.isVideoCall,
    custom_items: { ...record.customItems },
    user_role: caller.user_id === userId ? 'dc_caller' : 'dc_callee',
    participants: [
      { ...caller, role: 'dc_caller' },
      { ...callee, role: 'dc_callee' },
    ],
    started_at: record.startedAt ?? record.createdAt,
    ended_at: record.endedAt,
    ended_by: record.endedBy?.user_id ?? null,
    duration: record.duration,
    end_result: record.endResult,
  };
}
