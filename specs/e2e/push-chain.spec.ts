/**
 * Tests the whole path of a push message: from the product server, encrypted, through a push service and Chromium's
 * connection, to the service worker. `npm run test:push` runs it.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, expect } from '@playwright/test';
import { CHROMIUM_ARGUMENTS, findChromium, HOW_TO_GET_CHROMIUM } from '../../cli/worlds/browser/chromium.ts';
import { appConfigFor, startAppServer } from '../../sim/server/start-app-server.ts';
import { startSim } from '../../sim/server/start-sim.ts';
import { Terminal } from '../contract/exchange/terminals.ts';
import { startPushService } from './support/push-service/push-service.ts';
import { signIn } from './support/sign-in.ts';
import { APP } from './support/stack.ts';
import { test } from './support/worker-test.ts';

test('a call to a user with a closed app is shown on the device', async () => {
  test.skip(!process.env['RINGBACK_PUSH'], 'Chromium takes its time to register: npm run test:push');
  const executablePath = findChromium();
  if (!executablePath) throw new Error(HOW_TO_GET_CHROMIUM);
  const service = await startPushService();
  const sim = await startSim({ demo: true, port: 0, ports: { push: { post: service.post } } });
  const app = await startAppServer({ dir: APP, port: 0, config: appConfigFor(sim.url) });
  const profile = await mkdtemp(join(tmpdir(), 'ringback-profile-'));
  // A context with a persistent profile, because other contexts have no push.
  const context = await chromium.launchPersistentContext(profile, {
    serviceWorkers: 'allow',
    executablePath,
    locale: 'zh-TW',
    args: [...CHROMIUM_ARGUMENTS, ...service.chromiumArguments],
  });
  try {
    await context.grantPermissions(['notifications'], { origin: app.url });
    const page = await context.newPage();
    const saved = page.waitForResponse((response) => response.url().endsWith('/push/tokens') && response.ok());
    await signIn(page, { appUrl: app.url, simUrl: sim.url }, 'bob');
    await saved;
    await page.goto('about:blank');
    await expect.poll(() => sim.exchange.presenceOf('bob')).toBe('offline');

    const alice = await Terminal.signIn(sim, 'alice');
    await alice.send('dial', {
      callee_id: 'bob',
      is_video_call: true,
      constraints: { audio: true, video: true },
      capabilities: [],
    });
    const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'));
    const titles = () =>
      worker.evaluate(async () => {
        const notifications: Notification[] = await Object(globalThis).registration.getNotifications();
        return notifications.map(({ title }) => title);
      });
    await expect.poll(titles).toEqual(['Alice正在打視訊電話給你！']);
    await alice.disconnect();
  } finally {
    await context.close();
    await Promise.all([app.close(), sim.close(), service.close()]);
    await rm(profile, { recursive: true });
  }
});
