/** Terminals under test before an exchange that plays scripts, all processes of their own, with real media. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { ringback, type Terminal } from './terminal.ts';

let exchange: Terminal;
let server = '';
beforeAll(async () => {
  exchange = ringback(['sim', '--port', '0']);
  await exchange.saw(/stop +Ctrl-C/);
  server = /^exchange +(\S+)/m.exec(exchange.out)?.[1] ?? '';
});
afterAll(async () => {
  exchange.process.kill('SIGINT');
  // Nobody of a script is left over to hold it up.
  expect(await exchange.exited(10_000)).toBe(0);
  expect(exchange.err).toBe('');
});

const running: Terminal[] = [];
afterEach(() => {
  for (const one of running.splice(0)) one.kill();
});

function run(...words: string[]): Terminal {
  const terminal = ringback([...words, '--json'], { RINGBACK_SERVER: server });
  running.push(terminal);
  return terminal;
}

const HEARD = { audio: { tone: 660, ok: true }, video: { width: 320, height: 240, ok: true } };

describe('a terminal that dials', () => {
  test('accept: is connected with whoever it dials, and hears and sees them', async () => {
    const dial = run('dial', 'bob', '--script', 'accept', '--for', '3s');
    expect(await dial.exited()).toBe(0);
    const report = dial.json();
    expect(report).toMatchObject({ result: 'completed', peer: 'bob', received: HEARD, errors: [] });
    expect(report.timings.established).toBeGreaterThanOrEqual(2_000);
  });

  test('hangs-up: and the other side ends it', async () => {
    const dial = run('dial', 'carol', '--script', 'hangs-up,after=2s', '--for', '20s');
    expect(await dial.exited()).toBe(0);
    expect(dial.json()).toMatchObject({ result: 'completed', endedBy: 'carol', received: HEARD });
  });

  test('decline, busy, no-answer, refuse: at one time, each with its own end', async () => {
    const ends = await Promise.all(
      ['decline', 'busy', 'no-answer', 'refuse,cmd=dial,code=1400103'].map(async (script) => {
        const dial = run('dial', 'bob', '--script', script, '--ring', '6s');
        return [script, await dial.exited(), dial.json().result];
      }),
    );
    expect(ends).toEqual([
      ['decline', 22, 'declined'],
      ['busy', 22, 'declined'],
      ['no-answer', 20, 'no_answer'],
      ['refuse,cmd=dial,code=1400103', 26, 'dial_failed'],
    ]);
  });

  test('lose-media: loses the media, and finds it again', async () => {
    const dial = run('dial', 'bob', '--audio', '--script', 'lose-media,after=1s,lasts=12s', '--for', '30s');
    await dial.saw(/reconnected/, 60_000);
    dial.process.kill('SIGINT');
    expect(await dial.exited()).toBe(130);
    expect(dial.json()).toMatchObject({ result: 'completed', reconnections: 1, errors: [] });
  });

  test('is told of a script that nobody knows, and exits 2', async () => {
    const [unknown, wrong] = [
      run('dial', 'bob', '--script', 'acept'),
      run('dial', 'bob', '--script', 'accept,after=2'),
    ];
    expect([await unknown.exited(), await wrong.exited()]).toEqual([2, 2]);
    expect(unknown.err).toMatch(/^There is no script acept \(did you mean accept\?\)\. There are accept, [^\n]*\n$/);
    expect(wrong.err).toBe('after of accept must be a span of time like 500ms, 2s or 1m; found "2".\n');
  });
});

describe('a terminal that waits', () => {
  test('calls, cancel, other-device: each is called in a world of its own', async () => {
    const calls = run('answer', '--as', 'alice', '--script', 'calls+hangs-up,after=2s');
    expect(await calls.exited()).toBe(0);
    expect(calls.json()).toMatchObject({
      result: 'completed',
      role: 'callee',
      peer: 'bob',
      endedBy: 'bob',
      received: HEARD,
    });

    const cancel = run('answer', '--as', 'alice', '--script', 'cancel,rings=2s', '--ignore');
    const other = run('answer', '--as', 'alice', '--script', 'other-device,video=false', '--ignore');
    expect([await cancel.exited(), await other.exited()]).toEqual([21, 23]);
    expect(cancel.json().result).toBe('canceled');
    expect(other.json()).toMatchObject({ result: 'other_device_accepted', video: false });
  });
});
