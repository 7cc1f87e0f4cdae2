import type { Database } from '../../store/database.ts';

/** Counts the messages that a user has not read, in this channel and in all. */
export async function unreadOf(
  db: Database['db'],
  uId: string,
  channelUrl: string,
): Promise<{ readonly unread_count: number; readonly unread_total: number }> {
  const rows = await db
    .selectFrom('ringback_members')
    .where('u_id', '=', uId)
    .where('unread', '>', 0)
    .select(['channel_url', 'unread'])
    .execute();
  return {
    unread_count: rows.find(({ channel_url }) => channel_url === channelUrl)?.unread ?? 0,
    unread_total: rows.reduce((sum, { unread }) => sum + unread, 0),
  };
}
