/**
 * Tests a call between two Chromium browsers whose media path is cut, in real time. Chromium needs about 7 s to
 * detect the loss and 17 s to report the failure, by its own timers. The end of a call that stays cut is tested
 * between terminals (specs/wrtc/media-cut.test.ts) and in virtual time.
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
import { scaled } from '../../tools/run/machine-factor.ts';

const test = base.extend<{ path: CuttablePath; pair: readonly [caller: Person, callee: Person] }>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright wants its fixtures destructured, also when there are none
  path: async ({}, use) => use(createCuttablePath()),
  site: async ({ path }, use) => {
    const stack = await startStack({ mediaPath: path.mediaPath });
    await use(stack);
    await stack.close();
  },
  /** Two users in a video call, whose media is measured in both directions. */
  pair: async ({ person }, use) => {
    const [alice, bob] = await Promise.all([person('alice', { viewport: { width: 390, height: 844 } }), person('bob')]);
    await dial(alice, bob, 'video');
    await accept(bob);
    await Promise.all([expectConnected(alice), expectConnected(bob)]);
    await expectMedia(alice, bob);
    await use([alice, bob]);
  },
});

test('DC-35 DC-39 PC-11 PC-18 PC-19 PC-20 PC-21 PC-22: after a cut of 20 s the call reconnects by an ICE restart of the caller and continues', async ({
  pair,
  path,
}) => {
  const [alice, bob] = pair;
  // A slow machine may send the same offer more than once.
  const before = path.seen.length;
  const first = new Set(path.seen.map(({ from, kind, ufrag }) => `${kind} of the ${from}, ${ufrag}`));
  expect(first.size).toBe(2);
  const cutAt = performance.now();
  path.cut();
  await expectReconnecting(alice, bob);
  // The app detects the loss as soon as packets are missing, long before the browser reports a failed path.
  expect([await connectionState(alice), await connectionState(bob)]).toEqual(['disconnected', 'disconnected']);
  await expect.poll(() => performance.now() - cutAt, { timeout: scaled(25_000) }).toBeGreaterThan(20_000);
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

async function expectMedia(one: Person, other: Person): Promise<void> {
  await Promise.all([expectHears(one, other.tone), expectHears(other, one.tone)]);
  await Promise.all([expectSees(one), expectSees(other)]);
}

/** Checks that both sides show the reconnection and its remaining time. */
async function expectReconnecting(...people: readonly Person[]): Promise<void> {
  for (const { call } of people) {
    await expect(call).toHaveAttribute('data-phase', 'reconnecting');
    await expect(call.getByText(/正在重新連線… 剩 \d+ 秒/)).toBeVisible();
  }
}
