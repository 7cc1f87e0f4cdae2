/** The log of a server: the contents of a line, and what it never contains. */
import { afterEach, describe, expect, it } from 'vitest';
import { Log } from '../../../sim/exchange/logging/log.ts';
import type { LogEntry } from '../../../sim/exchange/ports.ts';
import type { LogThreshold } from '../../../sim/server/defaults.ts';
import { guardedClock } from '../../../sim/server/node-ports.ts';
import { createJsonLog } from '../../../sim/server/operations/json-log.ts';
import { catchTheRest } from '../../../sim/server/operations/unhandled-faults.ts';
import { logFullDiskOnce } from '../../../sim/server/operations/log-full-disk.ts';
import { inFrame, inRequest } from '../../../sim/server/operations/request-scope.ts';
import { HandClock } from '../support/hand-clock.ts';

const undo: (() => void)[] = [];
afterEach(() => {
  for (const one of undo.splice(0).toReversed()) one();
});

/** A log of a level, and the lines that it wrote. */
function logOf(level: LogThreshold) {
  const lines: string[] = [];
  const sink = createJsonLog(level, { write: (line) => void lines.push(line) });
  return { log: new Log(sink, { wallTime: () => Date.UTC(2026, 0, 2) }), lines };
}

/** A promise that resolves when it is opened. */
function gate() {
  let open = (): void => undefined;
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { passed, open: () => open() };
}

describe('the log', () => {
  it('S33 writes one JSON object in a line, with level, time, request and message', async () => {
    const { log, lines } = logOf('debug');
    await inRequest('request-1', async () => {
      await Promise.resolve();
      log.warn('a call\nfailed', { call: 'c1' });
    });
    log.debug('outside of any');
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
      { level: 'warn', time: '2026-01-02T00:00:00.000Z', request: 'request-1', call: 'c1', msg: 'a call\\u000afailed' },
      { level: 'debug', time: '2026-01-02T00:00:00.000Z', msg: 'outside of any' },
    ]);
    expect(lines.every((line) => line.indexOf('\n') === line.length - 1)).toBe(true);
  });

  it('S33 writes the id of the socket until the work for its frame waits', async () => {
    const { log, lines } = logOf('debug');
    let waits: Promise<void> | undefined;
    inFrame('socket-1', () => {
      inFrame('socket-2', () => log.debug('a frame within'));
      waits = (async () => {
        log.debug('a frame');
        await Promise.resolve();
        log.debug('later');
      })();
    });
    await waits;
    expect(() =>
      inFrame('socket-3', () => {
        throw new Error('unreadable');
      }),
    ).toThrow('unreadable');
    log.debug('outside of any');
    const ids = lines.map((line) => (JSON.parse(line) as { request?: string }).request);
    expect(ids).toEqual(['socket-2', 'socket-1', undefined, undefined]);
  });

  it('S33 follows each of several requests, and nothing after the last has its answer', async () => {
    const { log, lines } = logOf('debug');
    const gates = { first: gate(), rest: gate() };
    let left: Promise<void> | undefined;
    const first = inRequest('request-1', async () => {
      left = gates.rest.passed.then(() => log.debug('what the first one left'));
      await gates.first.passed;
      log.debug('first');
    });
    await inRequest('request-2', async () => {
      await Promise.resolve();
      log.debug('second');
    });
    gates.first.open();
    await first;
    gates.rest.open();
    await left;
    const ids = lines.map((line) => (JSON.parse(line) as { request?: string }).request);
    expect(ids).toEqual(['request-2', 'request-1', undefined]);
  });

  it('S32 has the stack of an error, masked like the rest', () => {
    const { log, lines } = logOf('warn');
    const cause = new Error('lost 10.1.2.3');
    log.error('a request failed', { error: new Error('Bearer abc.def', { cause }), token: 'secret' });
    const { stack, error, token } = JSON.parse(lines[0] ?? '') as { stack: string[]; error: string; token: string };
    expect(stack.length).toBeGreaterThan(1);
    expect(stack.every((line) => line.startsWith('at '))).toBe(true);
    expect([error, token]).toEqual(['Error: Bearer ***', '***']);
    log.error('a request failed', { error: new Error('x', { cause: Object.assign(cause, { code: 'ECONNRESET' }) }) });
    expect(lines.map((line) => (JSON.parse(line) as { code?: string }).code)).toEqual([undefined, 'ECONNRESET']);
    expect(lines[0]).not.toContain('10.1.2.3');
  });

  it('F54 reports a full disk once, until no write has met that for a minute', () => {
    const clock = new HandClock();
    const entries: LogEntry[] = [];
    const log = new Log(
      logFullDiskOnce((entry) => entries.push(entry), clock),
      clock,
    );
    const full = (code: string) =>
      new Error('a gift failed', { cause: Object.assign(new Error('database or disk is full'), { code }) });
    for (const code of ['SQLITE_FULL', 'SQLITE_IOERR_WRITE', '53100']) {
      log.error('a request failed', { error: full(code) });
      clock.advance(59_999);
    }
    log.warn('a request failed', { error: full('SQLITE_BUSY') });
    expect(entries.map(({ message, code }) => [message, code])).toEqual([
      [expect.stringContaining('the database is full or its disk fails'), 'SQLITE_FULL'],
      ['a request failed', 'SQLITE_BUSY'],
    ]);
    clock.advance(1);
    log.warn('a request failed', { error: full('SQLITE_FULL') });
    expect(entries[2]).toMatchObject({ level: 'error', message: entries[0]?.message });
    expect(entries[2]?.fields).toMatchObject({ failed: 'a request failed' });
  });

  it('F54 reports again after an hour that the disk is still full', () => {
    const clock = new HandClock();
    const entries: LogEntry[] = [];
    const sink = logFullDiskOnce((entry) => entries.push(entry), clock);
    const log = new Log(sink, clock);
    const error = Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' });
    for (let second = 0; second <= 3_600; second += 30) {
      log.error('a request failed', { error });
      clock.advance(30_000);
    }
    expect(entries).toHaveLength(2);
  });

  it('writes the code of an error that is its own cause, masked and at most 40 characters of it', () => {
    const entries: LogEntry[] = [];
    const log = new Log((entry) => entries.push(entry), new HandClock());
    const circle: Error = new Error('a circle');
    circle.cause = circle;
    log.error('failed', { error: circle });
    log.error('failed', { error: Object.assign(new Error('long'), { code: 'X'.repeat(100) }) });
    log.error('failed', { error: Object.assign(new Error('mail'), { code: 'alice@example.com' }) });
    expect(entries.map(({ code }) => code)).toEqual([undefined, 'X'.repeat(40), expect.not.stringContaining('alice@')]);
  });

  it('omits lines below its level, and everything when it is silent', () => {
    for (const [level, count] of [
      ['warn', 2],
      ['error', 1],
      ['silent', 0],
    ] as const) {
      const { log, lines } = logOf(level);
      log.debug('a');
      log.info('b');
      log.warn('c');
      log.error('d');
      expect([level, lines.length]).toEqual([level, count]);
    }
  });
});

describe('an exception that no handler caught', () => {
  it('S18 in a timer is logged, and later timers run', () => {
    const entries: LogEntry[] = [];
    const clock = new HandClock();
    const guarded = guardedClock(clock, new Log((entry) => void entries.push(entry), clock));
    let ran = 0;
    guarded.after(1, () => {
      throw new Error('broken');
    });
    guarded.after(2, () => (ran += 1));
    clock.advance(3);
    expect([ran, entries.map(({ message }) => message)]).toEqual([1, ['a timer failed']]);
  });

  it('S18 outside of every handler is logged with its stack, and the server drains once', () => {
    const { log, lines } = logOf('warn');
    const kept = process.listeners('uncaughtException');
    process.removeAllListeners('uncaughtException');
    undo.push(() => {
      for (const listener of kept) process.on('uncaughtException', listener);
    });
    let drains = 0;
    undo.push(catchTheRest(log, () => (drains += 1)));
    process.emit('uncaughtException', new Error('first'));
    process.emit('uncaughtException', new Error('second'));
    expect([drains, lines.length]).toEqual([1, 2]);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      level: 'error',
      error: 'Error: first',
      stack: expect.any(Array),
    });
  });
});
