/** Tests the story of a man and a woman, from their registration to their records, without fakes. */
import { expect, type Locator } from '@playwright/test';
import {
  PRICE_TIERS,
  BONUS_RULES,
  CALL_RULES,
  DEPOSIT_RULES,
  GIFTS,
  PACKS,
  SHARE_RULES,
} from '../../sim/product/rules.ts';
import { nodeClock } from '../../sim/server/node-ports.ts';
import { audit, purseTotal } from '../unit/product/support/audit.ts';
import { databasesOf, LASTING } from '../unit/product/support/databases.ts';
import { test as base } from './support/calls-test.ts';
import { createMovableClock, type MovableClock } from '../../cli/worlds/real/movable-clock.ts';
import { accept, cardOf, expectComesToSee, expectConnected, type Person, press } from './support/person.ts';
import { fillAccount, fillBasics } from './support/registration.ts';
import type { Site } from './support/sign-in.ts';
import { startStack } from './support/stack.ts';

/** A server that bills, with a persistent database. */
interface Platform extends Site {
  readonly clock: MovableClock;
  /** Returns the faults of the books, and the balance of each of these users: coins, and hundredths of a point. */
  books(he: string, she: string): Promise<{ faults: string[]; coins: number; points: number }>;
}

/**
 * The databases pass the same contract suite, and every other browser test uses SQLite. So this one uses PostgreSQL
 * where it is available.
 */
const STORE = LASTING.findLast((kind) => databasesOf(kind).missing === undefined) ?? 'SQLite in a file';

const test = base.extend<{ platform: Platform }>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright wants its fixtures destructured, also when there are none
  platform: async ({}, use) => {
    const databases = databasesOf(STORE);
    const database = await databases.place();
    const clock = createMovableClock(nodeClock);
    const stack = await startStack({ database, billing: true, clock });
    await use({
      ...stack,
      clock,
      async books(he, she) {
        const opened = await databases.open(database);
        const [coins, points] = [await purseTotal(opened, 'coins', he), await purseTotal(opened, 'points', she)];
        return { faults: await audit(opened), coins, points };
      },
    });
    await stack.close();
    await databases.close();
  },
  site: async ({ platform }, use) => use(platform),
});

const number = (value: number) => value.toLocaleString('en');
const found = <T>(value: T | undefined): T => {
  if (value === undefined) throw new Error('The rules of the platform do not have it.');
  return value;
};
const pack = found(PACKS.find(({ is_best }) => is_best));
const bouquet = found(GIFTS.find(({ gift_id }) => gift_id === 'bouquet'));
const rate = PRICE_TIERS.usual.video;
const extra = pack.bonus + (pack.coins * DEPOSIT_RULES.firstBonusPercent) / 100;
const coinsLeft = BONUS_RULES.welcome + pack.coins + extra - bouquet.coins - rate;
const giftPoints = bouquet.coins * SHARE_RULES.giftPercent;
const callPoints = rate * (SHARE_RULES.tiers[0]?.percent ?? 0);
const whole = (hundredths: number) => number(Math.floor(hundredths / 100));

test('PROD-01 PROD-02 PROD-04 PROD-05: two people register, find each other and chat; he buys coins, sends a gift and calls with video; he is charged, she is paid, and both see it in their records', async ({
  visitor,
  platform,
}) => {
  const [he, she] = await Promise.all([
    visitor({ nickname: '海邊的阿哲', tone: 660 }),
    visitor({ nickname: '山上的小雨', tone: 440 }),
  ]);
  await Promise.all([register(he, 'man'), register(she, 'woman')]);
  await findAndOpen(he, she);
  await buyCoinsForGift(he, she);
  await give(he, she);
  await chat(he, she);
  await call(he, she, platform.clock);
  await Promise.all([seeWhatWasSpent(he, she), seeWhatWasEarned(she, he)]);

  const [hisId, herId] = await Promise.all([he, she].map(({ page }) => page.evaluate(() => localStorage['u_id'])));
  const points = giftPoints + callPoints;
  expect(await platform.books(hisId, herId)).toEqual({ faults: [], coins: coinsLeft, points });
  expect([he.complaints, she.complaints]).toEqual([[], []]);
});

async function register({ page, nickname }: Person, kind: 'man' | 'woman'): Promise<void> {
  await page.getByRole('link', { name: kind === 'man' ? '男生註冊' : '女生註冊' }).click();
  await fillAccount(page, kind === 'man' ? 'sea@example.com' : '0912-345-678');
  await fillBasics(page, nickname);
  await page.getByRole('button', { name: '下一步' }).click();
  await page.getByRole('button', { name: '略過，之後再放' }).click();
  if (kind === 'woman') await page.getByRole('button', { name: '完成註冊' }).click();
  await expect(page.getByRole('heading', { level: 1, name: `歡迎，${nickname}` })).toBeVisible();
}

/** Opens her page from his home page, which lists her as online. */
async function findAndOpen(he: Person, she: Person): Promise<void> {
  await Promise.all([he, she].map(({ page }) => page.getByRole('link', { name: '前往首頁' }).click()));
  await expect(cardOf(he, she)).toHaveAttribute('data-presence', 'online');
  await cardOf(he, she).click();
  await he.page.getByRole('link', { name: '看完整檔案' }).click();
  await expect(he.page.getByRole('heading', { level: 1, name: she.nickname })).toBeVisible();
}

const giftSheet = (he: Person, she: Person): Locator => he.page.getByRole('dialog', { name: `送禮給${she.nickname}` });

async function chooseGift(he: Person, she: Person): Promise<Locator> {
  await he.page.getByRole('button', { name: '送禮' }).click();
  const sheet = giftSheet(he, she);
  await sheet.getByRole('radio', { name: bouquet.name }).check();
  return sheet;
}

/** His coins are not enough for the gift. He buys coins and returns. */
async function buyCoinsForGift(he: Person, she: Person): Promise<void> {
  const { page } = he;
  const sheet = await chooseGift(he, she);
  await expect(sheet).toContainText(`餘額 ${number(BONUS_RULES.welcome)} 幣`);
  await sheet.getByRole('link', { name: '前往儲值' }).click();
  await page.getByRole('textbox', { name: '卡號' }).fill('4242 4242 4242 4242');
  await page.getByRole('button', { name: `付款 NT$${number(pack.price)}` }).click();
  await page.getByRole('button', { name: '確認付款' }).click();
  await expect(page.getByText(`已加入 ${number(pack.coins + extra)} 幣`)).toBeVisible();
  await page.getByRole('button', { name: '回到剛才的地方' }).click();
}

async function give(he: Person, she: Person): Promise<void> {
  const sheet = await chooseGift(he, she);
  await sheet.getByRole('button', { name: `送出（${number(bouquet.coins)} 幣）` }).click();
  await expect(sheet.getByText('已送出')).toBeVisible();
  await he.page.keyboard.press('Escape');
}

const lastSaid = ({ page }: Person): Locator => page.getByRole('log').locator('li').last();

async function say({ page }: Person, words: string): Promise<void> {
  const composer = page.getByRole('textbox', { name: /^傳訊息給/ });
  await composer.fill(words);
  await composer.press('Enter');
}

/** He writes and she answers, in the chat that shows his gift. */
async function chat(he: Person, she: Person): Promise<void> {
  await he.page.getByRole('button', { name: '傳訊息' }).click();
  await say(he, '送你一束花');
  await she.page.getByRole('link', { name: /聊天.*2/ }).click();
  await she.page.getByRole('link', { name: new RegExp(`${he.nickname}.*送你一束花`) }).click();
  await expect(she.page.getByRole('log')).toContainText(bouquet.name);
  await say(she, '好漂亮，謝謝你');
  await expect(lastSaid(he)).toContainText('好漂亮，謝謝你');
}

/** He calls from the chat, which shows the price. They see each other, and a minute is charged. */
async function call(he: Person, she: Person, clock: MovableClock): Promise<void> {
  await he.page.getByRole('button', { name: `視訊通話給${she.nickname}，每分鐘 ${rate} 幣` }).click();
  // The device check comes before the first call.
  const before = he.page.getByRole('dialog', { name: '通話前檢查' });
  await expect(before).toContainText(`接通後每分鐘 ${rate} 幣`);
  await before.getByRole('button', { name: '撥打' }).click();
  await accept(she);
  await Promise.all([he, she].map(expectConnected));
  await Promise.all([he, she].map(expectComesToSee));
  // The bill is open.
  await expect(she.call).toContainText(/\+\d+ 點/);
  clock.advance(CALL_RULES.freeMs);
  await expect(she.call).toContainText(`+${whole(callPoints)} 點`);
  await press(she, '結束通話');
  await expect(he.call).toContainText(`共花費 ${rate} 幣`);
  await he.call.getByRole('button', { name: '關閉' }).click();
}

/** Opens a screen of the user's account. */
async function goTo({ page }: Person, place: string): Promise<void> {
  await page.getByRole('button', { name: '我的' }).click();
  await page.getByRole('dialog', { name: '我的' }).getByRole('link', { name: place }).click();
  await expect(page.getByRole('heading', { level: 1, name: place })).toBeVisible();
}

async function seeWhatWasSpent(he: Person, { nickname }: Person): Promise<void> {
  const { page } = he;
  await goTo(he, '交易紀錄');
  await expect(page).toHaveURL(/\/transactions-record\/all$/);
  const row = (what: string): Locator => page.getByRole('row').filter({ hasText: what });
  await expect(row(`視訊通話 第 1 分鐘 · ${nickname}`)).toContainText(new RegExp(`−${rate} .*${number(coinsLeft)} `));
  await expect(row(`${bouquet.name} ×1 · ${nickname}`)).toContainText(`−${number(bouquet.coins)} `);
  await expect(row('儲值')).toContainText(`+${number(pack.coins)} `);
  await expect(row('贈送')).toContainText([`+${number(extra)} `, `+${number(BONUS_RULES.welcome)} `]);
  await goTo(he, '儲值紀錄');
  await expect(page.getByRole('main').getByRole('listitem')).toContainText([/4,050.*信用卡.*NT\$3,000.*已完成/]);
  await goTo(he, '聊天與通話紀錄');
  await expect(page.getByRole('main').getByRole('listitem')).toContainText([`視訊通話 · ${nickname}`]);
  await expect(page.getByRole('main').getByRole('listitem')).toContainText([`−${rate} `]);
}

async function seeWhatWasEarned(she: Person, { nickname }: Person): Promise<void> {
  const { page } = she;
  const points = whole(giftPoints + callPoints);
  await page.getByRole('link', { name: '收益', exact: true }).click();
  await expect(page.getByRole('main')).toContainText(`結算中${points} 點`);
  await page.getByRole('link', { name: '收益明細' }).click();
  await expect(page.getByRole('status').filter({ hasText: `${points} 點` })).toBeVisible();
  await expect(page.getByRole('meter', { name: /^禮物/ })).toHaveAttribute('aria-valuetext', `${whole(giftPoints)} 點`);
  await expect(page.getByRole('meter', { name: /^視訊通話/ })).toHaveAttribute(
    'aria-valuetext',
    `${whole(callPoints)} 點`,
  );
  await goTo(she, '聊天與通話紀錄');
  await expect(page.getByRole('main').getByRole('listitem')).toContainText([`視訊通話 · ${nickname}`]);
  await expect(page.getByRole('main').getByRole('listitem')).toContainText([`+${whole(callPoints)} 點`]);
}
