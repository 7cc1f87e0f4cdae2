import { describe, expect, test } from 'vitest';
import { VirtualClock } from '../../../sim/virtual/clock.ts';
import { formatLogTime } from '../../../src/calls/logging/log-time.ts';
import { lazyPart } from '../../../src/common/lazy-part.ts';
import * as logText from '../../../src/calls/logging/log-text.ts';
import { Log } from '../../../src/calls/logging/log.ts';
import { loadedParts } from '../../../src/calls/client/loaded-parts.ts';

function setUp() {
  const clock = new VirtualClock(Date.UTC(2026, 2, 4, 5, 6, 7, 8));
  const lines: string[] = [];
  const log = new Log({ clock, print: (level, line) => lines.push(`${level}: ${line}`) }, loadedParts().logText);
  return { clock, lines, log };
}

describe('masking', () => {
  test('LOG-01 the printed and the stored log is masked', () => {
    const { log, lines } = setUp();
    log.setConsoleLevel('DEBUG');
    log.setUploadLevel('DEBUG');
    log.debug('opened ws://10.20.30.40/?session_token=s3cret', { password: 'pa55' });
    const all = JSON.stringify([lines, log.takeBuffered()]);
    for (const secret of ['10.20', 's3cret', 'pa55']) expect(all).not.toContain(secret);
    expect(lines).toHaveLength(1);
  });
});

describe('the log', () => {
  test('LOG-03 the time is year.month.day hour:minute:second:millisecond', () => {
    expect(formatLogTime(Date.UTC(2026, 2, 4, 5, 6, 7, 8))).toBe('2026.03.04 05:06:07:008');
    const { log, lines, clock } = setUp();
    log.setConsoleLevel('INFO');
    clock.skewWall(1_000);
    log.info('hello');
    expect(lines).toEqual(['info: 2026.03.04 05:06:08:008 [INFO] hello']);
  });

  test('ENT-22 nothing is printed by default; a level prints its lines and more severe ones', () => {
    const { log, lines } = setUp();
    const all = () => {
      log.verbose('v');
      log.debug('d');
      log.info('i');
      log.warning('w');
      log.error('e');
      return lines
        .splice(0)
        .map((line) => line.slice(-1))
        .join('');
    };
    expect(all()).toBe('');
    const seen = (['VERBOSE', 'DEBUG', 'INFO', 'WARNING', 'ERROR', 'NONE'] as const).map((level) => {
      log.setConsoleLevel(level);
      return all();
    });
    expect(seen).toEqual(['vdiwe', 'diwe', 'iwe', 'we', 'e', '']);
  });

  test('LOG-02 F67 at most 500 lines are stored, filtered by level, the newest, and a loss is reported once', () => {
    const { log } = setUp();
    log.setUploadLevel('INFO');
    for (let n = 0; n < 500; n += 1) {
      log.debug(`not kept ${n}`);
      log.info(`kept ${n}`);
    }
    const full = log.takeBuffered();
    expect([full.entries.length, full.overflowed]).toEqual([500, false]);
    for (let n = 0; n < 501; n += 1) log.error(`again ${n}`);
    const { entries, overflowed } = log.takeBuffered();
    expect([entries.length, overflowed, entries[0]?.log_message]).toEqual([500, true, 'again 1']);
    expect(entries[0]).toEqual({ log_dt: '2026.03.04 05:06:07:008', log_level: 'ERROR', log_message: 'again 1' });
    expect(log.takeBuffered()).toEqual({ entries: [], overflowed: false });
  });

  test('line breaks, control characters and reversed writing are escaped: one line stays one line', () => {
    const { log, lines } = setUp();
    log.setConsoleLevel('INFO');
    log.info('a\r\nb\u001b[31m\u2028\u202e', { nickname: 'x\ny\u202e' });
    expect(lines[0]?.endsWith(String.raw`a\r\nb\u001b[31m\u2028\u202e {"nickname":"x\ny\u202e"}`)).toBe(true);
  });

  test('a console that throws has no effect', () => {
    const log = new Log(
      {
        clock: new VirtualClock(),
        print: () => {
          throw new Error('no console');
        },
      },
      loadedParts().logText,
    );
    log.setConsoleLevel('INFO');
    expect(() => log.info('hello')).not.toThrow();
  });
});

describe('the part that makes the texts', () => {
  /** A log whose part loads when the test lets it. */
  function loading() {
    const loads: { succeed(): void; fail(): void }[] = [];
    const part = lazyPart(
      () =>
        new Promise<typeof logText>((resolve, reject) =>
          loads.push({ succeed: () => resolve(logText), fail: () => reject(new Error('offline')) }),
        ),
    );
    const clock = new VirtualClock(Date.UTC(2026, 2, 4, 5, 6, 7, 8));
    const lines: string[] = [];
    const log = new Log({ clock, print: (_, line) => lines.push(line.slice(-5)) }, part);
    const settled = async () => {
      for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
    };
    return { log, lines, loads, settled };
  }

  test('is loaded by the first wanted line; the lines wait for it in their order, the newest 500', async () => {
    const { log, lines, loads, settled } = loading();
    log.error('none');
    expect(loads).toHaveLength(0);
    log.setConsoleLevel('INFO');
    for (let n = 0; n < 501; n += 1) log.info(`: ${1000 + n}`);
    expect([loads.length, lines.length]).toEqual([1, 0]);
    loads[0]?.succeed();
    await settled();
    expect([lines.length, lines[0], lines.at(-1)]).toEqual([500, ' 1001', ' 1500']);
    log.info(': next');
    expect(lines.at(-1)).toBe(' next');
    expect(loads).toHaveLength(1);
  });

  test('is loaded again by the next line after a failed load, and no line is lost', async () => {
    const { log, lines, loads, settled } = loading();
    log.setConsoleLevel('INFO');
    log.info('first');
    loads[0]?.fail();
    await settled();
    log.info('other');
    expect(loads).toHaveLength(2);
    loads[1]?.succeed();
    await settled();
    expect(lines).toEqual(['first', 'other']);
  });

  test('a line that waits is not uploaded for the user after this one', async () => {
    const { log, loads, settled } = loading();
    log.setUploadLevel('INFO');
    log.info('of alice');
    log.setUploadLevel('NONE');
    log.setUploadLevel('INFO');
    log.info('of bob');
    loads[0]?.succeed();
    await settled();
    expect(log.takeBuffered().entries.map(({ log_message }) => log_message)).toEqual(['of bob']);
  });
});
