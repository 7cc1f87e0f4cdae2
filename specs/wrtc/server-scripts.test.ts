/** Terminals against an exchange that plays scripts, in processes of their own, with real media. */
import { afterAll, beforeAll, describe, expect, test, type TestContext } from 'vitest';
import { scaled } from '../../tools/run/machine-factor.ts';
import { ringback, type Terminal } from './terminal.ts';

let exchange: Terminal;
let server = '';
beforeAll(async () => {
  exchange = ringback(['sim', '--demo', '--port', '0']);
  await exchange.saw(/stop +Ctrl-C/);
  server = /^exchange +(\S+)/m.exec(exchange.out)?.[1] ?? '';
});
afterAll(async () => {
  exchange.process.kill('SIGINT');
  // No peer of a script may delay the stop.
  expect(await exchange.exited(scaled(10_000))).toBe(0);
  expect(exchange.err).toBe('');
});

/** Starts a terminal that ends with its test. */
function run({ onTestFinished }: TestContext, ...words: string[]): Terminal {
  const terminal = ringback([...words, '--json'], { RINGBACK_SERVER: server });
  onTestFinished(() => terminal.kill());
  return terminal;
}

const HEARD = { audio: { tone: 660, ok: true }, video: { width: 320, height: 240, ok: true } };

describe('a terminal in a call with a simulated user', () => {
  test('accept: is connected with the dialled user, and receives sound and picture', async (context) => {
    const dial = run(context, 'dial', 'bob', '--script', 'accept', '--for', '3s');
    expect(await dial.exited()).toBe(0);
    const report = dial.json();
    expect(report).toMatchObject({ result: 'completed', peer: 'bob', received: HEARD, errors: [] });
    expect(report.timings.established).toBeGreaterThanOrEqual(2_000);
  });

  test('hangs-up: the other side ends the call', async (context) => {
    const dial = run(context, 'dial', 'carol', '--script', 'hangs-up,after=2s', '--for', '20s');
    expect(await dial.exited()).toBe(0);
    expect(dial.json()).toMatchObject({ result: 'completed', endedBy: 'carol', received: HEARD });
  });

  test('calls: the simulated user calls the terminal', async (context) => {
    const answer = run(context, 'answer', '--as', 'alice', '--script', 'calls+hangs-up,after=2s');
    expect(await answer.exited()).toBe(0);
    const called = { result: 'completed', role: 'callee', peer: 'bob', endedBy: 'bob', received: HEARD };
    expect(answer.json()).toMatchObject(called);
  });
});

describe.concurrent('terminals at one exchange at the same time, each with a script of its own', () => {
  test('lose-media: loses the media, and recovers', async (context) => {
    const script = 'lose-media,after=1s,lasts=12s';
    const dial = run(context, 'dial', 'bob', '--audio', '--script', script, '--for', '30s');
    await dial.saw(/reconnected/, scaled(60_000));
    dial.process.kill('SIGINT');
    context.expect(await dial.exited()).toBe(130);
    context.expect(dial.json()).toMatchObject({ result: 'completed', reconnections: 1, errors: [] });
  });

  test('lose-media: a call that is silent after its first second exits with 6, and prints the missed requirement', async (context) => {
    const required = ['--require', 'audio,video', '--min-mos', '3.5', '--max-setup', '1ms'];
    const dial = run(context, 'dial', 'bob', '--script', 'lose-media,after=1s', '--for', '8s', ...required);
    context.expect(await dial.exited(scaled(30_000))).toBe(6);
    const { received, quality, seconds, requirements, ...report } = dial.json();
    context.expect(report).toMatchObject({ result: 'completed', errors: [] });
    context.expect(received).toMatchObject({ audio: { ok: false }, video: { ok: false } });
    // Media arrives for one second. A busy machine loses it a little late.
    context.expect(received.audio?.endSilenceMs).toBeGreaterThan(4_000);
    context.expect(received.video?.endGapMs).toBeGreaterThan(4_000);
    context.expect(received.audio?.loss).toBeGreaterThan(0.5);
    context.expect(received.video?.loss).toBeGreaterThan(0.5);
    context.expect(seconds).toMatchObject({ mos: { p95: 1, worst: 1 }, loss: { worst: 1 }, fps: { worst: 0 } });
    context.expect(quality.mos).toBeLessThan(3);
    context.expect(requirements.map(({ name, ok }) => [name, ok])).toEqual([
      ...[
        ['require audio', false],
        ['require video', false],
      ],
      ...[
        ['min-mos', false],
        ['max-setup', false],
      ],
    ]);
    for (const { message } of requirements) context.expect(dial.err).toContain(`${message}\n`);
  });

  test.for([
    ['decline', 22, 'declined'],
    ['busy', 22, 'declined'],
    ['no-answer', 20, 'no_answer'],
    ['refuse,cmd=dial,code=1400103', 26, 'dial_failed'],
  ] as const)('%s: exits %d', async ([script, code, result], context) => {
    const dial = run(context, 'dial', 'bob', '--script', script, '--ring', '6s');
    context.expect([await dial.exited(), dial.json().result]).toEqual([code, result]);
  });

  test.for([
    ['cancel,rings=2s', 21, 'canceled'],
    ['other-device,video=false', 23, 'other_device_accepted'],
  ] as const)('%s: exits %d', async ([script, code, result], context) => {
    const answer = run(context, 'answer', '--as', 'alice', '--script', script, '--ignore');
    context.expect([await answer.exited(), answer.json().result]).toEqual([code, result]);
  });

  test.for([
    ['acept', /^There is no script acept \(did you mean accept\?\)\. There are accept, [^\n]*\n$/],
    ['accept,after=2', /^after of accept must be a span of time like 500ms, 2s or 1m; found "2"\.\n$/],
  ] as const)('%s: exits with 2 and the reason', async ([script, why], context) => {
    const dial = run(context, 'dial', 'bob', '--script', script);
    context.expect(await dial.exited()).toBe(2);
    context.expect(dial.err).toMatch(why);
  });
});
