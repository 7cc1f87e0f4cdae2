import type { CallRecordPayload } from '../../../src/protocol/http.ts';
import type { EndRecord } from '../calls/call.ts';
import type { Core } from '../core.ts';
import type { Answer, Asked } from './handlers.ts';
import { refuseValue } from './refusals.ts';

/**
 * Handles `GET /v1/users/{userId}/calls`: a page of the user's own history, newest call first. The cursor is the last
 * call of the former page, so pages stay complete while new calls end. An invented cursor finds nothing.
 *
 * @throws HttpRefusal 400 with `INVALID_PARAMETER_VALUE` and the wrong query parameter. 401. 403 with
 *   `ERR_NO_PERMISSION` for another user's history.
 */
export async function history(core: Core, { params, query }: Asked<'callHistory'>): Promise<Answer<'callHistory'>> {
  const userId = params.user_id;
  await core.writeQueue.settled();
  const page = await core.store.history({
    userId,
    role: query.role ?? null,
    endResults: query.end_result,
    from: query.start_ts * 1_000,
    // The last second counts whole.
    to: query.end_ts * 1_000 + 999,
    limit: query.limit,
    after: query.next ?? null,
  });
  if (!page) throw refuseValue('next');
  return {
    calls: page.calls.map((record) => payloadOf(record, userId)),
    next: page.hasMore ? (page.calls.at(-1)?.callId ?? null) : null,
    has_next: page.hasMore,
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
