/** Tests calls between a browser and a terminal: two media engines, measured on both sides. */
import { expect } from '@playwright/test';
import { EXIT } from '../../cli/exit-codes.ts';
import { test as base } from './support/calls-test.ts';
import { accept, dial, expectConnected, expectHears, expectSees, expectTone, press } from './support/person.ts';
import { ringback as runRingback, type Terminal } from './support/terminal.ts';
import { scaled } from '../../tools/run/machine-factor.ts';

const test = base.extend<{ ringback: (...words: string[]) => Terminal }>({
  ringback: async ({ stack }, use) => {
    const running: Terminal[] = [];
    await use((...words) => {
      const terminal = runRingback(stack.simUrl, ...words);
      running.push(terminal);
      return terminal;
    });
    for (const one of running) one.kill();
  },
});

test('PROD-02 DC-07 DC-29 DC-36: in a video call from a browser to a terminal each side measures the media of the other, and the call completes', async ({
  person,
  ringback,
}) => {
  const terminal = ringback('answer', '--as', 'bob', '--tone', '880');
  await terminal.says(/waiting as bob/);
  const alice = await person('alice');
  await dial(alice, { nickname: 'Bob' }, 'video');
  await expectConnected(alice);
  await expectHears(alice, 880);
  await expectSees(alice);
  await press(alice, '結束通話');
  const report = await terminal.report();
  expect(report).toMatchObject({
    result: 'completed',
    role: 'callee',
    peer: 'alice',
    endedBy: 'alice',
    video: true,
    received: { audio: { ok: true }, video: { width: 320, height: 240, ok: true } },
    errors: [],
  });
  expectTone(report.received.audio?.tone ?? null, alice.tone);
  expect(alice.complaints).toEqual([]);
});

test('PROD-02 DC-11 DC-14 DC-29 DC-36: in a voice call from a terminal to a browser each side measures the media of the other, and the call completes', async ({
  person,
  ringback,
}) => {
  const bob = await person('bob');
  const terminal = ringback('dial', 'bob', '--as', 'alice', '--tone', '990', '--for', '2m', '--audio');
  await expect(bob.incoming).toHaveAccessibleName('Alice', { timeout: scaled(20_000) });
  await accept(bob);
  await expectConnected(bob);
  await expectHears(bob, 990);
  terminal.interrupt();
  const report = await terminal.report(EXIT.interrupted);
  expect(report).toMatchObject({
    result: 'completed',
    role: 'caller',
    peer: 'bob',
    endedBy: 'alice',
    video: false,
    received: { audio: { ok: true } },
    errors: [],
  });
  expectTone(report.received.audio?.tone ?? null, bob.tone);
  expect(report.received.video).toBeUndefined();
  await expect(bob.call).toContainText('通話結束');
  expect(bob.complaints).toEqual([]);
});
