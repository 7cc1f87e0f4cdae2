/**
 * A call between two Chromiums whose media path is cut, in real time: the browser needs about 7 s to notice and 17 s to give up, by
 * timers of its own. How a call ends that stays cut is proven between terminals (specs/wrtc/media-cut.test.ts) and in virtual time.
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

/** Both sides say that they are reconnecting, and for how long they will try. */
async function expectReconnecting(...people: readonly Person[]): Promise<void> {
  for (const { call } of people) {
    await expect(call).toHaveAttribute('data-phase', 'reconnecting');
    await expect(call.getByText(/正在重新連線… 剩 \d+ 秒/)).toBeVisible();
  }
}
