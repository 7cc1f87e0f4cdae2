/** Tests of the phone. The other users are headless, and the exchange is one of each test. */
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from '@playwright/test';
import { expect, test as base } from 'ringback-lab/testing/playwright';

const FILES: Readonly<Record<string, readonly [path: string, type: string]>> = {
  '/': ['index.html', 'text/html'],
  '/phone.js': ['phone.js', 'text/javascript'],
  '/ringback.global.js': ['node_modules/ringback/dist/lib/ringback.global.js', 'text/javascript'],
};

const test = base.extend<{ phone: Page }, { site: string }>({
  site: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright wants its fixtures destructured, also when there are none
    async ({}, use) => {
      const server = createServer((request, response) => {
        const [path, type] = FILES[new URL(request.url ?? '/', 'http://localhost').pathname] ?? [];
        if (path === undefined || type === undefined) return void response.writeHead(404).end();
        return void readFile(path).then((body) => response.setHeader('content-type', type).end(body));
      });
      await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
      await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
      server.close();
    },
    { scope: 'worker' },
  ],
  phone: async ({ page, site, world }, use) => {
    await page.clock.install();
    world.follow((ms) => page.clock.runFor(ms));
    await page.goto(`${site}?${new URLSearchParams({ user: 'alice', ...world.addressOf('alice') })}`);
    await expect(page.getByRole('status')).toHaveText('ready');
    await use(page);
  },
});

test('bob accepts, and both hear and see each other until alice hangs up', async ({ phone, world }) => {
  const bob = world.user('bob');
  await bob.accepts({ after: '200ms', videoEnabled: true });
  await phone.getByRole('button', { name: 'Call bob' }).click();
  await expect(phone.getByRole('status')).toHaveText('connected');
  await bob.hears('alice', { within: '20s' });
  await bob.sees('alice', { within: '20s' });
  await expect.poll(() => phone.locator('#remote').evaluate((video: HTMLVideoElement) => video.videoWidth)).toBe(160);
  await phone.getByRole('button', { name: 'Hang up' }).click();
  await world.saw({ from: 'alice', cmd: 'end' });
  await bob.is('completed');
});

test('a call that alice does not answer ends after a minute', async ({ phone, world }) => {
  const bob = world.user('bob');
  await bob.dials('alice');
  await expect(phone.getByRole('status')).toHaveText('bob calls');
  await world.advance('60s');
  await expect(phone.getByRole('status')).toHaveText('ended: NO_ANSWER');
  await bob.is('no_answer');
});

test('a call of five minutes shows its length, also when the channel was reset', async ({ phone, world }) => {
  const bob = world.user('bob');
  await bob.accepts();
  await phone.getByRole('button', { name: 'Call bob' }).click();
  await expect(phone.getByRole('status')).toHaveText('connected');
  await world.fault({ kind: 'ws', actor: 'alice', how: 'reset' });
  await world.saw({ from: 'alice', ws: 'close' });
  await world.advance('5m');
  await expect(phone.getByRole('timer')).toHaveText(/^3\d\d$/);
  await expect(phone.getByRole('status')).toHaveText('connected');
  await bob.is('connected');
});

test('a call goes on while the exchange restarts, and ends for both afterwards', async ({ phone, world }) => {
  const bob = world.user('bob');
  await bob.accepts();
  await phone.getByRole('button', { name: 'Call bob' }).click();
  await expect(phone.getByRole('status')).toHaveText('connected');
  await world.restartExchange();
  await world.saw({ to: 'alice', ws: 'open' }, { times: 2, within: '20s' });
  await expect(phone.getByRole('status')).toHaveText('connected');
  await phone.getByRole('button', { name: 'Hang up' }).click();
  await bob.is('completed', { within: '20s' });
});

test('fails, since bob declines', async ({ phone, world }) => {
  await world.user('bob').declines();
  await phone.getByRole('button', { name: 'Call bob' }).click();
  await expect(phone.getByRole('status')).toHaveText('ended: DECLINED');
  await world.user('bob').is('connected', { within: '100ms' });
});
