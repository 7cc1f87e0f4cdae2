import type { Database } from '../../store/database.ts';
import { DAY_MS } from '../rules.ts';

const WINDOW_MS = 30 * DAY_MS;
/** The least number for a rate. Fewer would reveal single calls. */
const ENOUGH = 10;

/**
 * Returns the percentage of calls and chats of the last 30 days that a user has answered. Null when there were too few.
 * A call that its caller cancelled does not count. A chat counts once.
 */
export async function responseRate({ db }: Pick<Database, 'db'>, uId: string, now: number): Promise<number | null> {
  const since = now - WINDOW_MS;
  const calls = await db
    .selectFrom('ringback_parts as part')
    .innerJoin('ringback_calls as call', 'call.call_id', 'part.call_id')
    .where('part.user_id', '=', uId)
    .where('part.created_at', '>=', since)
    .where('part.role', '=', 'dc_callee')
    .where('call.end_result', '!=', 'canceled')
    .select(({ fn, eb }) => [
      fn.countAll().as('all'),
      fn.sum(eb.case().when('call.end_result', 'in', ['declined', 'no_answer']).then(0).else(1).end()).as('answered'),
    ])
    .executeTakeFirstOrThrow();
  const chats = await db
    .selectFrom('ringback_members as own')
    .innerJoin('ringback_members as theirs', (join) =>
      join.onRef('theirs.channel_url', '=', 'own.channel_url').onRef('theirs.u_id', '=', 'own.companion'),
    )
    .where('own.u_id', '=', uId)
    .where('own.last_at', '>=', since)
    .where('theirs.sent', '>', 0)
    .select(({ fn, eb }) => [
      fn.countAll().as('all'),
      fn.sum(eb.case().when('own.sent', '>', 0).then(1).else(0).end()).as('answered'),
    ])
    .executeTakeFirstOrThrow();
  const all = Number(calls.all) + Number(chats.all);
  // SQL returns null for a sum of no rows.
  const answered = Number(calls.answered ?? 0) + Number(chats.answered ?? 0);
  return all < ENOUGH ? null : Math.round((100 * answered) / all);
}
