import type { Transaction } from 'kysely';
import { demoChats, type DemoChat, type DemoEntry } from '../../fixtures/demo-chats.ts';
import { DEMO_PROFILES } from '../../fixtures/demo-profiles.ts';
import { emailOf } from '../../fixtures/demo-bots.ts';
import type { AccountName } from '../product/ledger/account.ts';
import type { ProductParts } from '../product/parts.ts';
import type { ProductPerson } from '../product/product-person.ts';
import { BONUS_RULES } from '../product/rules.ts';
import type { Tables } from '../store/tables/tables.ts';
import { type PricedEarning, priceEarnings, seedEarning } from './seed-earnings.ts';

/** The balance of a woman of the demo world in hundredths of a point: the recent earnings, and the rest from before. */
const POINTS = 480_000;
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

type Seeded = Pick<ProductParts, 'database' | 'chat' | 'charges' | 'ledger' | 'clock'>;

/** Gives the people of the demo world coins, an e-mail, a history and a profile, once for each database. */
export async function seedDemo(
  { database, chat, charges, ledger, clock }: Seeded,
  people: readonly ProductPerson[],
): Promise<void> {
  const now = clock.wallTime();
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
    const begin = (u_id: string, account: AccountName, platform: AccountName, sum: number) =>
      ledger.post(transaction, {
        key: `town:${u_id}`,
        kind: 'bonus',
        at: now - 30 * DAY_MS,
        ref: {},
        lines: [
          { account, delta: sum },
          { account: platform, delta: -sum },
        ],
      });

    const chats = demoChats(people);
    const earnings = await priceEarnings(
      transaction,
      chats.map(({ between }) => between),
      now,
    );
    const fresh = new Set<string>();
    for (const { u_id, gender_type } of people) {
      const own = earnings.filter(({ earning }) => u_id === (gender_type === 'man' ? earning.man : earning.woman));
      const isNew =
        gender_type === 'man'
          ? await begin(u_id, `coins:${u_id}`, 'house:sold', BONUS_RULES.demo + total(own, 'coins'))
          : await begin(u_id, `points:${u_id}`, 'house:earned', POINTS - total(own, 'points'));
      if (isNew) fresh.add(u_id);
    }
    // A woman with earlier earnings has her history already.
    for (const one of earnings) {
      const { man, woman } = one.earning;
      if (fresh.has(man) && fresh.has(woman)) await seedEarning(transaction, { charges }, one, now);
    }
    for (const uId of fresh) {
      await charges.settle(transaction, uId, now);
      await introduce(transaction, uId);
    }
    if (fresh.size === 0) return;
    // The oldest first, since chats are listed by their last message.
    for (const one of chats.toReversed()) await seedChat(transaction, chat, one, now);
  });
}

const total = (earnings: readonly PricedEarning[], of: 'coins' | 'points'): number =>
  earnings.reduce((sum, one) => sum + one[of], 0);

/** Writes the profile of a person. */
async function introduce(transaction: Transaction<Tables>, uId: string): Promise<void> {
  const profile = DEMO_PROFILES[uId];
  if (profile === undefined) return;
  const { languages, tags, ...rest } = profile;
  await transaction
    .updateTable('ringback_profiles')
    .set({ ...rest, languages: JSON.stringify(languages), tags: JSON.stringify(tags) })
    .where('u_id', '=', uId)
    .execute();
}

async function seedChat(
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
      ...contentOf(entry, `${between.join('-')}-${place}`),
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

function contentOf(entry: DemoEntry, id: string) {
  if (entry.type === 'text') return { type: 'text', data: { text: entry.text } } as const;
  const { video, result, seconds } = entry;
  return {
    type: 'call',
    data: { call_id: `town-${id}`, is_video_call: video, end_result: result, duration_ms: seconds * 1_000 },
  } as const;
}
