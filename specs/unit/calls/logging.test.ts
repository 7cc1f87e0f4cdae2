import { describe, expect, test } from 'vitest';
import { VirtualClock } from '../../../sim/virtual/clock.ts';
import { formatLogTime } from '../../../src/calls/logging/log-time.ts';
import { Log } from '../../../src/calls/logging/log.ts';

function setUp() {
  const clock = new VirtualClock(Date.UTC(2026, 2, 4, 5, 6, 7, 8));
  const lines: string[] = [];
  const log = new Log({ clock, print: (level, line) => lines.push(`${level}: ${line}`) });
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
    const log = new Log({
      clock: new VirtualClock(),
      print: () => {
        throw new Error('no console');
      },
    });
    log.setConsoleLevel('INFO');
    expect(() => log.info('hello')).not.toThrow();
  });
});
