/**
 * A call whose media path is cut, in real time: ICE needs about 7 s to notice and 17 s to give up, and its timers are
 * the engine's own. Both calls run side by side.
 */
import { describe, type TestContext, test } from 'vitest';
import { createExchange, type TestExchange } from './exchange.ts';
import { ringback, type Terminal } from './terminal.ts';
import { scaled } from '../../tools/run/machine-factor.ts';

interface RunningCall {
  readonly exchange: TestExchange;
  readonly dial: Terminal;
  readonly answer: Terminal;
}

/** Connects a voice call through an exchange of its own, and measures the tone. */
async function connectedCall({ expect, onTestFinished }: TestContext, ...dialWords: string[]): Promise<RunningCall> {
  const exchange = await createExchange({ cuttable: true });
  onTestFinished(() => exchange.close());
  const run = (...words: string[]) => {
    const terminal = ringback(words, { RINGBACK_SERVER: exchange.url });
    onTestFinished(() => terminal.kill());
    return terminal;
  };
  const answer = run('answer', '--audio', '--json');
  await answer.saw(/waiting as bob/);
  const dial = run('dial', 'bob', '--audio', '--json', ...dialWords);
  await dial.saw(/connected/);
  await answer.saw(/connected/);
  await expect.poll(() => exchange.path?.stats().passed ?? 0, { timeout: scaled(10_000) }).toBeGreaterThan(100);
  return { exchange, dial, answer };
}

const until = (at: number) => new Promise<void>((resolve) => setTimeout(resolve, at - performance.now()));

describe.concurrent('the media path of a call between two terminals is cut', () => {
  test(
    'PC-12 DC-35 DC-39: for 20 s: the call reconnects by ICE restart and continues',
    async (context) => {
      const { expect } = context;
      const { exchange, dial, answer } = await connectedCall(context, '--for', '40s');
      const proxies = exchange.path?.stats().proxies ?? 0;
      const cutAt = performance.now();
      exchange.path?.cut();
      await Promise.all([dial.saw(/reconnecting/, scaled(15_000)), answer.saw(/reconnecting/, scaled(15_000))]);
      await until(cutAt + 20_000);
      expect(dial.err + answer.err).not.toMatch(/reconnected/);
      exchange.path?.restore();
      await Promise.all([dial.saw(/reconnected/), answer.saw(/reconnected/)]);
      // The ICE restart restored the path: the legs gathered new candidates.
      expect(exchange.path?.stats().proxies).toBeGreaterThan(proxies);

      expect(await dial.exited()).toBe(0);
      expect(await answer.exited()).toBe(0);
      for (const side of [dial.json(), answer.json()]) {
        expect(side).toMatchObject({ result: 'completed', reconnections: 1, errors: [] });
        // Silence during the cut, the tone before and after.
        expect(side.received.audio?.silent).toBeGreaterThan(50);
        expect(side.received.audio?.carried).toBeGreaterThan(40);
      }
    },
    scaled(90_000),
  );

  test(
    'DC-38: for 45 s: the call ends as connection_lost, 30 s after a side detected the loss',
    async (context) => {
      const { expect } = context;
      const { exchange, dial, answer } = await connectedCall(context, '--for', '90s');
      exchange.path?.cut();
      const sides = [dial, answer];
      const noticed = Promise.all(
        sides.map((side) => side.saw(/reconnecting/, scaled(25_000)).then(() => performance.now())),
      );
      const ended = Promise.all(sides.map((side) => side.exited(scaled(70_000))));
      const first = Math.min(...(await noticed));
      expect(await ended).toEqual([24, 24]);
      const after = performance.now() - first;
      // A busy machine ends a process late.
      expect(after).toBeGreaterThan(29_000);
      expect(after).toBeLessThan(30_000 + scaled(15_000));
      for (const side of [dial.json(), answer.json()]) {
        expect(side).toMatchObject({ result: 'connection_lost', reconnections: 0 });
      }
    },
    scaled(90_000),
  );
});
