/** Tests the web app as the client under test: an exchange plays scripts to it, one for each test, all on one port. */
import { expect } from '@playwright/test';
import { appConfigFor, startAppServer } from '../../sim/server/start-app-server.ts';
import { test as base } from './support/calls-test.ts';
import { accept, dial, expectConnected, expectHears, press } from './support/person.ts';
import { APP } from './support/stack.ts';
import { scaled } from '../../tools/run/machine-factor.ts';

const BOB = { nickname: 'Bob' };
/** The messages of simulated users. */
const TONE = 660;

const test = base.extend<{ script: string }>({
  script: ['', { option: true }],
  site: async ({ scriptPlayer, script }, use, { testId }) => {
    // Tests that run at the same time play the same script in separate worlds.
    const url = `${scriptPlayer.url}/scripts/${encodeURIComponent(`${script}@${testId}`)}`;
    const app = await startAppServer({ dir: APP, port: 0, config: appConfigFor(url) });
    await use({ appUrl: app.url, simUrl: url });
    await app.close();
  },
});

test.describe('decline', () => {
  test.use({ script: 'decline' });
  test('the call was declined', async ({ person }) => {
    const alice = await person('alice');
    await dial(alice, BOB, 'voice');
    await expect(alice.call).toContainText('對方婉拒了通話');
    expect(alice.complaints).toEqual([]);
  });
});

test.describe('lose-media', () => {
  test.use({ script: 'lose-media,after=1s,lasts=12s+accept,after=1s' });
  test('the callee answers, the call reconnects, and the callee is heard again', async ({ person }) => {
    const alice = await person('alice');
    await dial(alice, BOB, 'voice');
    await expectConnected(alice);
    await expect(alice.call).toHaveAttribute('data-phase', 'reconnecting', { timeout: scaled(20_000) });
    await expectConnected(alice);
    await expectHears(alice, TONE);
    await press(alice, '結束通話');
  });
});

test.describe('calls', () => {
  test.use({ script: 'calls+hangs-up,after=6s' });
  test('a simulated user calls, and hangs up', async ({ person }) => {
    const alice = await person('alice');
    await expect(alice.incoming).toHaveAccessibleName('Bob', { timeout: scaled(20_000) });
    await accept(alice);
    await expectConnected(alice);
    await expectHears(alice, TONE);
    await expect(alice.call).toContainText('通話結束', { timeout: scaled(20_000) });
  });
});
