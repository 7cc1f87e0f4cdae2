import type { Transaction } from 'kysely';
import { demoChats, type DemoChat, type DemoEntry } from '../../fixtures/demo-chats.ts';
import { emailOf } from '../../fixtures/town.ts';
import type { ProductParts } from '../product/parts.ts';
import type { ProductPerson } from '../product/product-person.ts';
import { BONUS_RULES } from '../product/rules.ts';
import type { Tables } from '../store/tables/tables.ts';

/** What a woman of the demo world has earned long ago, in hundredths of a point. */
const POINTS = 480_000;
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

type Seeded = Pick<ProductParts, 'database' | 'chat' | 'ledger' | 'clock'>;

/** Gives the people of the demo world money, an e-mail and a past, once for each database. */
export async function seedTown(
  { database, chat, ledger, clock }: Seeded,
  people: readonly ProductPerson[],
): Promise<void> {
  const now = clock.now();
  await database.transact(async (transaction) => {
    const contacts = people.map(({ u_id }) => ({
      u_id,
      kind: 'email',
      value: emailOf(u_id),
      verified_at: now - 30 * DAY_MS,
    }));
    await transaction
      .insertInto('ringback_contacts')
      .values(contacts)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    let isNew = false;
    for (const { u_id, gender_type } of people) {
      const isMan = gender_type === 'man';
      const [account, house, sum] = isMan
        ? ([`coins:${u_id}`, 'house:bonus', BONUS_RULES.demo] as const)
        : ([`points:${u_id}`, 'house:earned', POINTS] as const);
      const posted = await ledger.post(transaction, {
        key: `town:${u_id}`,
        kind: 'bonus',
        at: now - 30 * DAY_MS,
        ref: {},
        lines: [
          { account, delta: sum },
          { account: house, delta: -sum },
        ],
      });
      isNew ||= posted;
    }
    if (!isNew) return;
    // The oldest first: chats are listed by when something was last said.
    for (const one of demoChats(people).toReversed()) await tell(transaction, chat, one, now);
  });
}

async function tell(
  transaction: Transaction<Tables>,
  chat: Seeded['chat'],
  { between, entries, unread }: DemoChat,
  now: number,
): Promise<void> {
  let channelUrl = '';
  for (const [place, entry] of entries.entries()) {
    const at = now - entry.minutesAgo * MINUTE_MS;
    const to = between[0] === entry.from ? between[1] : between[0];
    const { message } = await chat.append(transaction, {
      ...saidIn(entry, `${between.join('-')}-${place}`),
      from: entry.from,
      to,
      at,
    });
    channelUrl = message.channel_url;
  }
  const last = entries.at(-1)?.from;
  for (const uId of between) {
    const left = uId === last ? 0 : unread;
    await transaction
      .updateTable('ringback_members')
      .set({ unread: left, read_seq: entries.length - left, delivered_seq: entries.length })
      .where('channel_url', '=', channelUrl)
      .where('u_id', '=', uId)
      .execute();
  }
}

function saidIn(entry: DemoEntry, id: string) {
  if (entry.type === 'text') return { type: 'text', data: { text: entry.text } } as const;
  const { video, result, seconds } = entry;
  return {
    type: 'call',
    data: { call_id: `town-${id}`, is_video_call: video, end_result: result, duration_ms: seconds * 1_000 },
  } as const;
}
