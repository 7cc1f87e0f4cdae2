/**
 * A call between two Chromiums whose media path is cut, in real time: the browser needs about 7 s to notice and 17 s to
 * give up, by timers of its own. One worker waits for both tests, while the other works through the rest.
 */
import { expect } from '@playwright/test';
import { test as base } from './support/calls-test.ts';
import { createCuttablePath, type CuttablePath } from './support/cuttable-path.ts';
import {
  accept,
  connectionState,
  dial,
  expectConnected,
  expectHears,
  expectSees,
  type Person,
  press,
} from './support/person.ts';
import { startStack } from './support/stack.ts';

const test = base.extend<{ path: CuttablePath; pair: readonly [caller: Person, callee: Person] }>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright wants its fixtures destructured, also when there are none
  path: async ({}, use) => use(createCuttablePath()),
  site: async ({ path }, use) => {
    const stack = await startStack({ mediaPath: path.mediaPath });
    await use(stack);
    await stack.close();
  },
  /** Two people in a video call, measured in both directions. */
  pair: async ({ person }, use) => {
    const [alice, bob] = await Promise.all([person('alice', { viewport: { width: 390, height: 844 } }), person('bob')]);
    await dial(alice, bob, 'video');
    await accept(bob);
    await Promise.all([expectConnected(alice), expectConnected(bob)]);
    await expectMedia(alice, bob);
    await use([alice, bob]);
  },
});

test.describe.configure({ mode: 'default' });

test('DC-35 DC-39 PC-11 PC-18 PC-19 PC-20 PC-21 PC-22: cut for 20 s, the call reconnects by an ICE restart of the caller and goes on', async ({
  pair,
  path,
}) => {
  const [alice, bob] = pair;
  // A slow machine may have sent one more than once: the same one.
  const before = path.seen.length;
  const first = new Set(path.seen.map(({ from, kind, ufrag }) => `${kind} of the ${from}, ${ufrag}`));
  expect(first.size).toBe(2);
  const cutAt = performance.now();
  path.cut();
  await expectReconnecting(alice, bob);
  // Noticed as soon as packets stay away, long before the engine gives the path up.
  expect([await connectionState(alice), await connectionState(bob)]).toEqual(['disconnected', 'disconnected']);
  await expect.poll(() => performance.now() - cutAt, { timeout: 25_000 }).toBeGreaterThan(20_000);
  await expectReconnecting(alice, bob);
  path.restore();
  await Promise.all([expectConnected(alice), expectConnected(bob)]);
  await expect(alice.call.getByText('正在重新連線')).toHaveCount(0);
  await expectMedia(alice, bob);

  expect(path.seen.filter(({ kind, from }) => kind === 'offer' && from === 'callee')).toEqual([]);
  const restarts = path.seen
    .slice(before)
    .filter(({ from, kind, ufrag }) => !first.has(`${kind} of the ${from}, ${ufrag}`))
    .map(({ kind }) => kind);
  expect(restarts).toContain('offer');
  expect(restarts).toContain('answer');

  await press(alice, '結束通話');
  await expect(bob.call).toContainText('通話結束');
  for (const { summaries } of pair) {
    await expect
      .poll(() => summaries)
      .toEqual([
        expect.objectContaining({
          summary_data: expect.objectContaining({ end_result: 'completed', reconnection_count: 1 }),
        }),
      ]);
  }
});

test('DC-38: cut for 45 s, the call ends on both sides as connection lost, 30 s after it was noticed', async ({
  pair,
  path,
}, testInfo) => {
  const [alice, bob] = pair;
  path.cut();
  // By each page's own clock, so that a busy machine is not taken for a late call.
  const spans = pair.map(spanOfReconnecting);
  await expectReconnecting(alice, bob);
  await alice.page.screenshot({ path: testInfo.outputPath('reconnecting-phone.png') });
  for (const { call } of pair) await expect(call).toHaveAttribute('data-phase', 'ended', { timeout: 45_000 });
  // The first whose time is up tells the other, which may have noticed later.
  const [shorter = 0, longer = 0] = (await Promise.all(spans)).toSorted((one, other) => one - other);
  expect(shorter).toBeLessThan(35_000);
  expect(longer).toBeGreaterThan(29_000);
  expect(longer).toBeLessThan(35_000);
  for (const { call } of pair) {
    await expect(call).toContainText('連線中斷');
    await expect(call).toContainText('網路可能暫時斷線');
  }
  expect([...alice.sent, ...bob.sent]).toContain('connection_lost');
  await alice.page.screenshot({ path: testInfo.outputPath('lost-phone.png') });
});

/** How long the call on the screen is reconnecting, from when it says so until it says something else: milliseconds. */
const spanOfReconnecting = ({ call }: Person): Promise<number> =>
  call.evaluate(
    (dialog) =>
      new Promise<number>((resolve) => {
        let since: number | undefined;
        const look = () => {
          const isReconnecting = dialog.getAttribute('data-phase') === 'reconnecting';
          if (isReconnecting) since ??= performance.now();
          else if (since !== undefined) resolve(performance.now() - since);
        };
        new MutationObserver(look).observe(dialog, { attributes: true, attributeFilter: ['data-phase'] });
        look();
      }),
  );

async function expectMedia(one: Person, other: Person): Promise<void> {
  await Promise.all([expectHears(one, other.tone), expectHears(other, one.tone)]);
  await Promise.all([expectSees(one), expectSees(other)]);
}

/** Both sides say that they are reconnecting, and for how long they will try. */
async function expectReconnecting(...people: readonly Person[]): Promise<void> {
  for (const { call } of people) {
    await expect(call).toHaveAttribute('data-phase', 'reconnecting');
    await expect(call.getByText(/正在重新連線… 剩 \d+ 秒/)).toBeVisible();
  }
}
