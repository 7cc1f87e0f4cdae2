/** A user at a browser of their own: signed in to the app, with measurable devices. */
import { type Browser, expect, type Locator, type Page } from '@playwright/test';
import { blurNothing } from './blur-nothing.ts';
import type * as PageMedia from './page-media.ts';
import type { PageReading } from './page-media.ts';
import { signIn, type Site } from './sign-in.ts';
import { scaled } from '../../../tools/run/machine-factor.ts';

declare global {
  /** What the bundled script leaves in the page. */
  var pageMedia: typeof PageMedia;
}

/** The users of the demo world who appear here, as the app shows them, each with a tone to be known by. */
export const USERS = {
  alice: { nickname: 'Alice', home: '/home-woman', tone: 440 },
  bob: { nickname: 'Bob', home: '/home-man', tone: 660 },
  dave: { nickname: 'Dave', home: '/home-man', tone: 880 },
} as const;
export type UserName = keyof typeof USERS;

export interface Person {
  readonly userId: string;
  readonly nickname: string;
  readonly tone: number;
  readonly page: Page;
  /** Everything the page complained of: uncaught errors, and errors the app logged. */
  readonly complaints: readonly string[];
  /** The types of the messages sent on the realtime channel, in order. */
  readonly sent: readonly string[];
  /** What the page posted and which sockets it opened, by their paths, in order. */
  readonly steps: readonly string[];
  /** What the app told of its presence. */
  readonly presence: readonly string[];
  /** The bodies of the call summaries this page posted. */
  readonly summaries: readonly unknown[];
  readonly incoming: Locator;
  readonly call: Locator;
}

export interface PersonOptions {
  readonly pageMedia: string;
  readonly viewport?: { readonly width: number; readonly height: number };
  /** Their camera cannot be opened: the browser's error of that name. */
  readonly cameraFails?: 'NotFoundError' | 'NotReadableError' | 'NotAllowedError';
  /** They sign in as people do, on the login screen. */
  readonly byLoginScreen?: true;
}

export async function openPerson(
  browser: Browser,
  site: Site,
  userId: UserName,
  { pageMedia, viewport, cameraFails, byLoginScreen }: PersonOptions,
): Promise<Person> {
  const { nickname, home, tone } = USERS[userId];
  const page = await openPage(browser, { tone, pageMedia, ...(viewport ? { viewport } : {}) });
  if (cameraFails) await page.addInitScript(failCamera, cameraFails);
  const record = follow(page);
  if (byLoginScreen) {
    // A visitor is sent to the landing page, whatever they ask for, and goes on from there.
    await page.goto(site.appUrl);
    await page.getByRole('link', { name: '登入', exact: true }).click();
    await page.getByRole('button', { name: `以${nickname}的身分登入` }).click();
  } else {
    await signIn(page, site, userId);
  }
  await page.waitForURL(`**${home}`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(
    home === '/home-woman' ? '首頁' : '今晚，想和誰聊聊',
  );
  return personAt(page, { userId, nickname, tone }, record);
}

/** Opens a visitor at the landing, with measurable devices. */
export async function openVisitor(
  browser: Browser,
  { appUrl }: Site,
  who: Pick<Person, 'nickname' | 'tone'>,
  pageMedia: string,
): Promise<Person> {
  const page = await openPage(browser, { tone: who.tone, pageMedia });
  const record = follow(page);
  await page.goto(appUrl);
  return personAt(page, { userId: '', ...who }, record);
}

/** A page in a browser context of its own, whose devices can be measured. */
async function openPage(
  browser: Browser,
  { tone, pageMedia, viewport }: Pick<PersonOptions, 'pageMedia' | 'viewport'> & Pick<Person, 'tone'>,
): Promise<Page> {
  const context = await browser.newContext({
    locale: 'zh-TW',
    permissions: ['camera', 'microphone'],
    viewport: viewport ?? { width: 1280, height: 800 },
  });
  await context.addInitScript({ content: `${pageMedia}\npageMedia.install(${tone});` });
  await context.addInitScript(blurNothing);
  return context.newPage();
}

const personAt = (
  page: Page,
  who: Pick<Person, 'userId' | 'nickname' | 'tone'>,
  record: ReturnType<typeof follow>,
): Person => ({
  ...who,
  page,
  ...record,
  incoming: page.getByRole('alertdialog'),
  call: page.getByRole('dialog', { name: /(視訊|語音)通話$/ }),
});

/** In the page: every request for a picture is refused. */
function failCamera(name: string): void {
  const open = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
  navigator.mediaDevices.getUserMedia = (constraints) =>
    constraints?.video ? Promise.reject(new DOMException('', name)) : open(constraints);
}

/** Keeps what a page sends and complains of, from its first moment. */
export function follow(page: Page): Pick<Person, 'complaints' | 'sent' | 'steps' | 'presence' | 'summaries'> {
  const complaints: string[] = [];
  const sent: string[] = [];
  const steps: string[] = [];
  const presence: string[] = [];
  const summaries: unknown[] = [];
  page.on('pageerror', ({ message }) => void complaints.push(message));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
    const told = /presence (connected|disconnected)$/.exec(message.text())?.[1];
    if (told) presence.push(told);
  });
  page.on('websocket', (socket) => {
    steps.push(`socket ${new URL(socket.url()).pathname}`);
    socket.on('framesent', ({ payload }) => {
      const { type } = JSON.parse(String(payload)) as { type?: unknown };
      if (typeof type === 'string') sent.push(type);
    });
  });
  page.on('request', (request) => {
    if (request.method() !== 'POST') return;
    steps.push(`post ${new URL(request.url()).pathname}`);
    if (request.url().endsWith('/summary')) summaries.push(request.postDataJSON());
  });
  return { complaints, sent, steps, presence, summaries };
}

/** How `who` sees `other` on their home. */
export const cardOf = (who: Person, other: Pick<Person, 'nickname'>): Locator =>
  who.page.getByRole('button', { name: new RegExp(`^${other.nickname}，`) });

/** Opens the other's sheet and presses one of the two ways to call. */
export async function dial(who: Person, other: Pick<Person, 'nickname'>, kind: 'video' | 'voice'): Promise<void> {
  await expect(cardOf(who, other)).toHaveAttribute('data-presence', 'online');
  await cardOf(who, other).click();
  const sheet = who.page.getByRole('dialog', { name: other.nickname, exact: true });
  await sheet.getByRole('button', { name: kind === 'video' ? '視訊通話' : '語音通話' }).click();
}

export const accept = (who: Person): Promise<void> => who.incoming.getByRole('button', { name: '接聽' }).click();

export const expectConnected = (who: Person): Promise<void> =>
  expect(who.call).toHaveAttribute('data-phase', 'connected', { timeout: scaled(20_000) });

/** Presses a control of the call; they may have left a moving picture, and come back with the pointer. */
export async function press(who: Person, control: '麥克風' | '鏡頭' | '切換鏡頭' | '結束通話'): Promise<void> {
  await who.page.mouse.move(200, 200);
  await who.page.mouse.move(210, 210);
  await who.call.getByRole('button', { name: control, exact: true }).click();
}

/** Measures the call on the screen from now on. */
const measure = (who: Person): Promise<void> => who.page.evaluate(() => globalThis.pageMedia.measure());
export const reading = (who: Person): Promise<PageReading> => who.page.evaluate(() => globalThis.pageMedia.reading());
export const connectionState = (who: Person): Promise<ReturnType<typeof PageMedia.connectionState>> =>
  who.page.evaluate(() => globalThis.pageMedia.connectionState());

/** The tone of the other user, alone and whole, is what this person's call comes to play, for 1.2 seconds on end. */
export async function expectHears(who: Person, tone: number): Promise<void> {
  // What was on its way when the sender changed something is played out first; then it is measured anew.
  await expect(async () => {
    await measure(who);
    await expect
      .poll(async () => (await reading(who)).tone.windows, { timeout: scaled(20_000) })
      .toBeGreaterThanOrEqual(6);
    const heard = await reading(who);
    expect(heard.tone.ok).toBe(true);
    expectTone(heard.tone.frequency, tone);
    // A busy machine starves the sender now and then, and the gaps are stretched over.
    expect(heard.tone.share).toBeGreaterThan(0.8);
    expect(heard.plays).toBe(true);
  }).toPass({ timeout: scaled(60_000) });
}

/** Frames arrive and no sound does: for 12 frames on end, once what was on its way has been played out. */
export async function expectSilence(who: Person): Promise<void> {
  await expect(async () => {
    await measure(who);
    await expect
      .poll(async () => (await reading(who)).frames.frames, { timeout: scaled(20_000) })
      .toBeGreaterThanOrEqual(12);
    expect((await reading(who)).tone.windows).toBe(0);
  }).toPass({ timeout: scaled(60_000) });
}

/** The tone that was sent, as far as windows of 200 ms can tell: they part tones 5 Hz from each other. */
export const expectTone = (heard: number | null, sent: number): void =>
  expect(Math.abs((heard ?? 0) - sent)).toBeLessThanOrEqual(3);

/** Frames that carry rising markers are what this person's call comes to show, for a second on end. */
export async function expectComesToSee(who: Person): Promise<void> {
  await expect(async () => {
    await measure(who);
    await expectSees(who);
  }).toPass({ timeout: scaled(60_000) });
}

/** Frames that carry rising markers are what this person's call shows; for after {@link expectHears}. */
export async function expectSees(who: Person): Promise<void> {
  await expect
    .poll(async () => (await reading(who)).frames.frames, { timeout: scaled(20_000) })
    .toBeGreaterThanOrEqual(10);
  expect((await reading(who)).frames).toMatchObject({ width: 320, height: 240, ok: true });
}
