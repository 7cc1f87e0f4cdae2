/** A user in a separate browser context: signed in to the app, with devices that can be measured. */
import { type Browser, expect, type Locator, type Page } from '@playwright/test';
import { blurNothing } from './blur-nothing.ts';
import type * as PageMedia from './page-media.ts';
import type { PageReading } from './page-media.ts';
import { signIn, type Site } from './sign-in.ts';
import { scaled } from '../../../tools/run/machine-factor.ts';

declare global {
  /** The global that the bundled script makes in the page. */
  var pageMedia: typeof PageMedia;
}

/**
 * The users of the demo world in these tests, by the names that the app shows, each with a tone that identifies the
 * user.
 */
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
  /** The errors of the page: uncaught ones, and those that the app logged. */
  readonly complaints: readonly string[];
  /** The types of the messages sent on the realtime channel, in order. */
  readonly sent: readonly string[];
  /** The paths of the page's POST requests and sockets, in order. */
  readonly steps: readonly string[];
  /** The presence messages of the app. */
  readonly presence: readonly string[];
  /** The bodies of the call summaries this page posted. */
  readonly summaries: readonly unknown[];
  readonly incoming: Locator;
  readonly call: Locator;
}

export interface PersonOptions {
  readonly pageMedia: string;
  readonly viewport?: { readonly width: number; readonly height: number };
  /** Makes the camera fail with the browser error of this name. */
  readonly cameraFails?: 'NotFoundError' | 'NotReadableError' | 'NotAllowedError';
  /** Signs the user in on the login screen. */
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
    // A visitor is redirected to the landing page from any address, and continues there.
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

/** Opens a visitor at the landing page, with devices that can be measured. */
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

/** Opens a page in a separate browser context, with devices that can be measured. */
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

/** Records the requests and errors of a page from its start. */
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

/** Returns the card of `other` on the home page of `who`. */
export const cardOf = (who: Person, other: Pick<Person, 'nickname'>): Locator =>
  who.page.getByRole('button', { name: new RegExp(`^${other.nickname}，`) });

/** Opens the sheet of the other user, and presses the voice or the video button. */
export async function dial(who: Person, other: Pick<Person, 'nickname'>, kind: 'video' | 'voice'): Promise<void> {
  await expect(cardOf(who, other)).toHaveAttribute('data-presence', 'online');
  await cardOf(who, other).click();
  const sheet = who.page.getByRole('dialog', { name: other.nickname, exact: true });
  await sheet.getByRole('button', { name: kind === 'video' ? '視訊通話' : '語音通話' }).click();
}

export const accept = (who: Person): Promise<void> => who.incoming.getByRole('button', { name: '接聽' }).click();

export const expectConnected = (who: Person): Promise<void> =>
  expect(who.call).toHaveAttribute('data-phase', 'connected', { timeout: scaled(20_000) });

/** Presses a control of the call. A pointer move shows the controls above a moving picture first. */
export async function press(who: Person, control: '麥克風' | '鏡頭' | '切換鏡頭' | '結束通話'): Promise<void> {
  await who.page.mouse.move(200, 200);
  await who.page.mouse.move(210, 210);
  await who.call.getByRole('button', { name: control, exact: true }).click();
}

/** Starts to measure the visible call. */
const measure = (who: Person): Promise<void> => who.page.evaluate(() => globalThis.pageMedia.measure());
export const reading = (who: Person): Promise<PageReading> => who.page.evaluate(() => globalThis.pageMedia.reading());
export const connectionState = (who: Person): Promise<ReturnType<typeof PageMedia.connectionState>> =>
  who.page.evaluate(() => globalThis.pageMedia.connectionState());

/** Expects this user's call to play only the other user's tone, complete, for 1.2 seconds without a break. */
export async function expectHears(who: Person, tone: number): Promise<void> {
  // Media that was already sent is played first. Then the measurement starts again.
  await expect(async () => {
    await measure(who);
    await expect
      .poll(async () => (await reading(who)).tone.windows, { timeout: scaled(20_000) })
      .toBeGreaterThanOrEqual(6);
    const heard = await reading(who);
    expect(heard.tone.ok).toBe(true);
    expectTone(heard.tone.frequency, tone);
    // A busy machine sometimes delays the sender, and the player stretches the sound over the gaps.
    expect(heard.tone.share).toBeGreaterThan(0.8);
    expect(heard.plays).toBe(true);
  }).toPass({ timeout: scaled(60_000) });
}

/** Expects 12 frames in sequence without sound, after the media that was already sent. */
export async function expectSilence(who: Person): Promise<void> {
  await expect(async () => {
    await measure(who);
    await expect
      .poll(async () => (await reading(who)).frames.frames, { timeout: scaled(20_000) })
      .toBeGreaterThanOrEqual(12);
    expect((await reading(who)).tone.windows).toBe(0);
  }).toPass({ timeout: scaled(60_000) });
}

/** Returns whether this is the sent tone. Windows of 200 ms separate tones that differ by 5 Hz. */
export const expectTone = (heard: number | null, sent: number): void =>
  expect(Math.abs((heard ?? 0) - sent)).toBeLessThanOrEqual(3);

/** Expects this user's call to show frames with rising markers for a second without a break. */
export async function expectComesToSee(who: Person): Promise<void> {
  await expect(async () => {
    await measure(who);
    await expectSees(who);
  }).toPass({ timeout: scaled(60_000) });
}

/** Expects this user's call to show frames with rising markers. Used after {@link expectHears}. */
export async function expectSees(who: Person): Promise<void> {
  await expect
    .poll(async () => (await reading(who)).frames.frames, { timeout: scaled(20_000) })
    .toBeGreaterThanOrEqual(10);
  expect((await reading(who)).frames).toMatchObject({ width: 320, height: 240, ok: true });
}
