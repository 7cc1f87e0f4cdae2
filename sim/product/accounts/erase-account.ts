import type { Transaction } from 'kysely';
import * as v from 'valibot';
import type { Database } from '../../store/database.ts';
import { eraseRooms } from '../../store/sql-rooms.ts';
import type { Tables } from '../../store/tables/tables.ts';
import { chunksOf, nextTurn } from '../many-rows.ts';

type Db = Transaction<Tables>;

/** The number of calls of a history that are erased in one turn of the event loop. */
const CALLS = 50;

/** The tables whose rows with this user's id belong to the user alone. */
const OWN_TABLES = [
  'ringback_sign_ins',
  'ringback_devices',
  'ringback_contacts',
  'ringback_media',
  'ringback_profile_photos',
  'ringback_favorites',
  'ringback_watches',
  'ringback_blocks',
  'ringback_reports',
  'ringback_call_ratings',
  'ringback_gift_counts',
  'ringback_volumes',
  'ringback_receipts',
  'ringback_bought_coins',
  'ringback_payout_accounts',
  'ringback_deposit_limits',
  'ringback_identity_pictures',
  'ringback_identity_tries',
  'ringback_identities',
  'ringback_profiles',
  'ringback_accounts',
] as const;

/** The tables in which rows of other users name this user. */
const NAMED_TABLES = ['ringback_favorites', 'ringback_watches', 'ringback_blocks', 'ringback_reports'] as const;

/**
 * Erases a user within a transaction. Afterwards only the books and the call histories of others have the user id. The
 * books are transfers, entries, balances, settlements, charge sessions, deposits and redemptions. The id is a random
 * number, and no row links it to the person any more.
 */
export async function eraseAccount(db: Db, uId: string): Promise<void> {
  await eraseLetters(db, uId);
  await eraseChats(db, uId);
  await eraseCalls(db, uId);
  const files = db.selectFrom('ringback_media').where('u_id', '=', uId).select('media_id');
  await db.deleteFrom('ringback_media_contents').where('media_id', 'in', files).execute();
  for (const table of NAMED_TABLES) await db.deleteFrom(table).where('other', '=', uId).execute();
  for (const table of OWN_TABLES) await db.deleteFrom(table).where('u_id', '=', uId).execute();
  await db.updateTable('ringback_deposits').set({ invoice: null, pay_code: null }).where('u_id', '=', uId).execute();
  await db
    .updateTable('ringback_redemptions')
    .set({ bank_code: '', account_number: '', holder: '' })
    .where('u_id', '=', uId)
    .execute();
}

/** Erases codes and letters to the contacts of the user, and codes that only this user could have requested. */
async function eraseLetters(db: Db, uId: string): Promise<void> {
  const contacts = db.selectFrom('ringback_contacts').where('u_id', '=', uId).select('value');
  await db.deleteFrom('ringback_letters').where('destination', 'in', contacts).execute();
  await db.deleteFrom('ringback_codes').where('destination', 'in', contacts).execute();
  const codes = await db
    .selectFrom('ringback_codes')
    .select(['id', 'purpose'])
    .where('purpose', 'like', '%:%')
    .execute();
  const own = codes.filter(({ purpose }) => purpose.slice(purpose.indexOf(':') + 1) === uId).map(({ id }) => id);
  for (const chunk of chunksOf(own)) await db.deleteFrom('ringback_codes').where('id', 'in', chunk).execute();
}

/** The data of an erased participant of a call, apart from the id. */
const NAMELESS = { nickname: '', profile_url: '', metadata: {}, is_active: false } as const;

/**
 * Erases the user's chats, also for the other side. The other side's list cannot show a chat without the user's
 * profile.
 */
async function eraseChats(db: Db, uId: string): Promise<void> {
  const rows = await db.selectFrom('ringback_members').where('u_id', '=', uId).select('channel_url').execute();
  for (const urls of chunksOf(rows.map(({ channel_url }) => channel_url))) {
    for (const table of ['ringback_messages', 'ringback_members', 'ringback_channels'] as const) {
      await db.deleteFrom(table).where('channel_url', 'in', urls).execute();
    }
  }
}

/** Erases what the calling service has stored about the user. */
async function eraseCalls(db: Db, uId: string): Promise<void> {
  while (await eraseSomeHistory(db, uId));
  await db.deleteFrom('ringback_summaries').where('user_id', '=', uId).execute();
  await db.deleteFrom('ringback_push_tokens').where('user_id', '=', uId).execute();
  await eraseRooms(db, uId);
}

/**
 * Erases the user's call history a few calls at a time. Each step has its own transaction and its own turn of the event
 * loop. SQLite answers within the turn, so one transaction over a long history would block the server.
 */
export async function eraseHistory(database: Pick<Database, 'transact'>, uId: string): Promise<void> {
  while (await database.transact((transaction) => eraseSomeHistory(transaction, uId))) await nextTurn();
}

/**
 * Erases a few calls from the user's history, and the user's name from the other participant's history. Deletes a call
 * that is then in no history. Returns whether there may be more.
 *
 * Of two participants who are erased at once, the second waits for the row of the call. It may write the name of the
 * first back, since it read the row before. But it then finds the call in no history, and deletes it in the same
 * transaction.
 */
async function eraseSomeHistory(db: Db, uId: string): Promise<boolean> {
  const calls = await db
    .selectFrom('ringback_parts as part')
    .leftJoin('ringback_calls as call', 'call.call_id', 'part.call_id')
    .where('part.user_id', '=', uId)
    .select(['part.call_id', 'call.participants'])
    .orderBy('part.created_at')
    .orderBy('part.call_id')
    .limit(CALLS)
    .execute();
  if (calls.length === 0) return false;
  for (const { call_id, participants } of calls) {
    if (participants === null) continue;
    const known = v.parse(v.array(v.looseObject({ user_id: v.string() })), JSON.parse(participants));
    const left = known.map((one) => (one.user_id === uId ? { ...one, ...NAMELESS } : one));
    await db
      .updateTable('ringback_calls')
      .set({ participants: JSON.stringify(left), custom_items: '{}' })
      .where('call_id', '=', call_id)
      .execute();
  }
  const ids = calls.map(({ call_id }) => call_id);
  for (const table of ['ringback_parts', 'ringback_summaries'] as const) {
    await db.deleteFrom(table).where('call_id', 'in', ids).where('user_id', '=', uId).execute();
  }
  const kept = db.selectFrom('ringback_parts').where('call_id', 'in', ids).select('call_id');
  for (const table of ['ringback_summaries', 'ringback_calls'] as const) {
    await db.deleteFrom(table).where('call_id', 'in', ids).where('call_id', 'not in', kept).execute();
  }
  return calls.length === CALLS;
}
