/** The action of `ringback history`: lists the ended calls of a user. */
import { callHistory } from '../../src/calls/rest/requests.ts';
import type { CallRecordPayload, HistoryAnswer } from '../../src/protocol/http.ts';
import { LIMITS } from '../../src/protocol/limits.ts';
import { EXIT } from '../exit-codes.ts';
import type { SignedIn } from '../headless/messages.ts';
import { processOutput } from '../process-output.ts';
import { tableOf } from '../reporters/table.ts';
import { commandErrorOf, openRequests } from '../signed-in-requests.ts';
import { failureOf } from '../sign-in-failure.ts';

export async function history(
  user: SignedIn,
  { limit, json }: { readonly limit: number; readonly json: boolean },
): Promise<number> {
  const { out, err } = processOutput;
  const rest = await openRequests(user);
  const calls: CallRecordPayload[] = [];
  let next: string | null = null;
  do {
    const size = String(Math.min(LIMITS.historyPage.max, limit - calls.length));
    const page: HistoryAnswer = await callHistory(rest, user.userId, {
      limit: size,
      ...(next === null ? {} : { next }),
    }).catch((error: unknown) => {
      throw commandErrorOf(failureOf(error, 'The request'));
    });
    calls.push(...page.calls);
    next = page.next;
  } while (next !== null && calls.length < limit);
  if (json) out.write(`${JSON.stringify({ calls, has_more: next !== null })}\n`);
  else if (calls.length === 0) err.write(`No call of ${user.userId} has ended.\n`);
  else out.write(tableOf(['ended', 'caller', 'callee', 'media', 'result', 'seconds', 'call'], calls.map(rowOf)));
  if (next !== null) err.write('There are more: raise --limit.\n');
  return EXIT.ok;
}

function rowOf({ participants, is_video_call, ended_at, end_result, duration, call_id }: CallRecordPayload): string[] {
  const idOf = (role: string) => participants.find((one) => one.role === role)?.user_id ?? '';
  return [
    new Date(ended_at).toISOString(),
    idOf('dc_caller'),
    idOf('dc_callee'),
    is_video_call ? 'video' : 'audio',
    end_result,
    (duration / 1_000).toFixed(1),
    call_id,
  ];
}
