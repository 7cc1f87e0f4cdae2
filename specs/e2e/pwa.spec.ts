/**
 * Tests the built app as an installed app: it can be installed, opens offline, and updates only after consent and
 * never during a call.
 */
import { appendFile, cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { appConfigFor, type AppServer, startAppServer } from '../../sim/server/start-app-server.ts';
import { type Sim, startSim } from '../../sim/server/start-sim.ts';
import { Terminal } from '../contract/exchange/terminals.ts';
import { signIn } from './support/sign-in.ts';
import { APP } from './support/stack.ts';
import { test as base } from './support/worker-test.ts';

interface Deployment {
  readonly sim: Sim;
  readonly app: AppServer;
  /** Replaces the app on the server by a new version. */
  deploy(): Promise<void>;
}

/* oxlint-disable no-empty-pattern -- Playwright wants its fixtures destructured, also when there are none */
const test = base.extend<{ deployment: Deployment }>({
  deployment: async ({}, use) => {
    const dir = await mkdtemp(join(tmpdir(), 'ringback-deployed-'));
    await cp(APP, dir, { recursive: true });
    const sim = await startSim({ demo: true, port: 0 });
    const app = await startAppServer({ dir, port: 0, config: appConfigFor(sim.url) });
    await use({ sim, app, deploy: () => appendFile(join(dir, 'sw.js'), `// ${Date.now()}\n`) });
    await app.close();
    await sim.close();
    await rm(dir, { recursive: true });
  },
});

test.use({ serviceWorkers: 'allow', locale: 'zh-TW' });

/** Opens the first visit, and waits until all files are cached. */
async function visit(page: Page, { app }: Deployment): Promise<void> {
  await page.goto(app.url);
  await expect(page.getByText('已可離線使用')).toBeVisible();
}

/** Makes the page check for a new version, as it does each hour. */
const look = (page: Page) =>
  page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready;
    await registration.update();
  });

const waits = (page: Page) =>
  page.waitForFunction(async () => (await navigator.serviceWorker.ready).waiting?.state === 'installed');

test('PWA-03: the app reports offline readiness, and then opens any deep link offline', async ({
  page,
  context,
  deployment,
}) => {
  const said = page.getByRole('status').filter({ hasText: '已可離線使用' });
  await page.goto(deployment.app.url);
  await expect(said).toHaveCount(1);
  await signIn(page, { appUrl: deployment.app.url, simUrl: deployment.sim.url }, 'bob');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await deployment.app.close();
  await context.setOffline(true);
  for (const path of ['/home-man', '/chat-list', '/nowhere?x=1']) {
    await page.goto(`${deployment.app.url}${path}`);
    await expect(page.locator('#root main')).toBeVisible();
    expect(await page.evaluate(() => Object(globalThis).__CONFIG__.app_id)).toBe('ringback-demo');
  }
  // A later visit does not report it again.
  await expect(said).toHaveCount(0);
});

test('PWA-01: the app is installable with /manifest.json; the cache holds the whole app and no response of a server', async ({
  page,
  deployment,
}) => {
  await visit(page, deployment);
  const devtools = await page.context().newCDPSession(page);
  const { url: manifest, errors } = await devtools.send('Page.getAppManifest');
  expect(manifest).toBe(`${deployment.app.url}/manifest.json`);
  expect(errors).toEqual([]);
  const { installabilityErrors } = await devtools.send('Page.getInstallabilityErrors');
  // A property of the test browser, not a fault of the app.
  expect(installabilityErrors.filter(({ errorId }) => errorId !== 'in-incognito')).toEqual([]);
  await page.evaluate(() => caches.open('ringback-app-v0'));
  await signIn(page, { appUrl: deployment.app.url, simUrl: deployment.sim.url }, 'bob');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  const kept = await page.evaluate(async () => {
    const names = (await caches.keys()).filter((name) => name !== 'ringback-app-v0');
    const answers = await Promise.all(
      names.map(async (name) => {
        const cache = await caches.open(name);
        return Promise.all(
          (await cache.keys()).map(async (request) => {
            const response = await cache.match(request);
            return { url: request.url, status: response?.status, type: response?.type };
          }),
        );
      }),
    );
    return answers.flat();
  });
  expect(kept.length).toBeGreaterThan(10);
  for (const { url, status, type } of kept) {
    expect({ origin: new URL(url).origin, status, type }, url).toEqual({
      origin: deployment.app.url,
      status: 200,
      type: 'basic',
    });
    expect(new URL(url).pathname).not.toMatch(/^\/(auth|v1|ws|users|portraits|push|demo)\b|\/sw\.js$|manifest/);
  }
  // The next version deletes the caches of older versions.
  await deployment.deploy();
  await look(page);
  await page.getByRole('button', { name: '立即更新' }).click();
  await expect.poll(() => page.evaluate(() => caches.has('ringback-app-v0')).catch(() => true)).toBe(false);
});

test('PWA-02: a new version asks the user in a confirm dialog, and F65 the page reloads only after consent', async ({
  page,
  deployment,
}) => {
  await visit(page, deployment);
  await page.reload();
  await page.evaluate(() => Object.assign(globalThis, { wasHere: true }));
  const isSamePage = () => page.evaluate(() => 'wasHere' in globalThis);
  await deployment.deploy();
  await look(page);
  const question = page.getByRole('alertdialog', { name: '有新版本' });
  await question.getByRole('button', { name: '稍後' }).click();
  await expect(question).toHaveCount(0);
  expect(await isSamePage()).toBe(true);

  // On the next visit the new version still waits.
  await page.reload();
  await page.evaluate(() => Object.assign(globalThis, { wasHere: true }));
  await expect(question).toBeVisible();
  expect(await isSamePage()).toBe(true);
  await Promise.all([page.waitForEvent('load'), question.getByRole('button', { name: '立即更新' }).click()]);
  expect(await isSamePage()).toBe(false);
  await expect(page.getByRole('main')).toBeVisible();
  expect(await page.evaluate(async () => (await navigator.serviceWorker.ready).waiting)).toBeNull();
});

test('F65 the app asks about a new version only after a ringing call is over', async ({ page, deployment }) => {
  await visit(page, deployment);
  await signIn(page, { appUrl: deployment.app.url, simUrl: deployment.sim.url }, 'bob');
  await expect.poll(() => deployment.sim.exchange.presenceOf('bob')).toBe('online');
  const alice = await Terminal.signIn(deployment.sim, 'alice');
  const { call_id } = (
    await alice.send('dial', {
      callee_id: 'bob',
      is_video_call: false,
      constraints: { audio: true, video: false },
      capabilities: [],
    })
  ).payload;
  const ringing = page.getByRole('alertdialog').filter({ has: page.getByRole('button', { name: '接聽' }) });
  await expect(ringing).toBeVisible();
  await deployment.deploy();
  await look(page);
  await waits(page);
  const question = page.getByRole('alertdialog', { name: '有新版本' });
  await expect(ringing).toBeVisible();
  await expect(question).toHaveCount(0);
  await alice.send('cancel', { call_id });
  await expect(question).toBeVisible();
  await alice.disconnect();
});
