import { describe, expect, it } from 'vitest';
import { Log } from '../../../sim/exchange/logging/log.ts';
import type { LogEntry } from '../../../sim/exchange/ports.ts';

const entries: LogEntry[] = [];
const log = new Log((entry) => entries.push(entry), { wallTime: () => 7 });
/** Logs an error, and returns the entry. */
function logged(error: unknown): LogEntry {
  log.error('it failed', { error });
  const [entry] = entries.slice(-1);
  if (!entry) throw new Error('nothing was logged');
  return entry;
}
const withCode = (code: unknown, cause?: unknown) => Object.assign(new Error('x', { cause }), { code });
const withStack = (stack: string, cause?: unknown) => Object.assign(new Error('x', { cause }), { stack });

describe('the log of the exchange', () => {
  it.each(['debug', 'info', 'warn', 'error'] as const)(
    'writes the level %s, the time and the masked fields',
    (level) => {
      log[level]('from 192.0.2.1', { user: 'alice', token: 't', at: 3 });
      const fields = { user: 'alice', token: '***', at: 3 };
      expect(entries.at(-1)).toEqual({ at: 7, level, message: 'from ***', fields });
    },
  );

  it('makes no entry below the lowest level of its sink', () => {
    const kept: string[] = [];
    const sink = (lowest: 'warn' | 'silent') =>
      Object.assign((entry: LogEntry) => void kept.push(`${lowest} ${entry.level}`), { lowest });
    for (const lowest of ['warn', 'silent'] as const) {
      const bounded = new Log(sink(lowest), { wallTime: () => 7 });
      for (const level of ['debug', 'info', 'warn', 'error'] as const) bounded[level]('a line');
    }
    expect(kept).toEqual(['warn warn', 'warn error']);
  });

  it('writes no fields when there are none', () => {
    log.info('started');
    expect(entries.at(-1)).toEqual({ at: 7, level: 'info', message: 'started', fields: {} });
  });

  it('names the first code in the chain of causes', () => {
    expect(logged(withCode('SQLITE_FULL')).code).toBe('SQLITE_FULL');
    expect(logged(new Error('x', { cause: withCode('ECONNRESET') })).code).toBe('ECONNRESET');
    expect(logged(withCode('FIRST', withCode('SECOND'))).code).toBe('FIRST');
    expect(logged(withCode(7, withCode('SECOND'))).code).toBe('SECOND');
    expect(logged(withCode(7))).not.toHaveProperty('code');
    expect(logged('no error')).not.toHaveProperty('code');
  });

  it('masks a code and cuts it after 40 characters', () => {
    expect(logged(withCode('at 192.0.2.1')).code).toBe('at ***');
    expect(logged(withCode('C'.repeat(41))).code).toBe('C'.repeat(40));
  });

  it('follows ten errors of a chain for a code', () => {
    const chain = (depth: number): Error =>
      depth === 1 ? withCode('DEEP') : new Error('x', { cause: chain(depth - 1) });
    expect(logged(chain(10)).code).toBe('DEEP');
    expect(logged(chain(11))).not.toHaveProperty('code');
  });

  it('writes the frames of an error and its causes, masked, without the lines of its message', () => {
    const cause = withStack('Error: inner\n    at inner (b.ts:2)');
    const stack = 'Error: at home\nat once\n   at outer (a.ts:1)\n at 192.0.2.1 x\nthen at last';
    expect(logged(withStack(stack, cause)).stack).toEqual(['at outer (a.ts:1)', 'at *** x', 'at inner (b.ts:2)']);
    expect(logged(withStack('Error: x'))).not.toHaveProperty('stack');
    expect(logged(Object.assign(new Error('x'), { stack: undefined }))).not.toHaveProperty('stack');
  });

  it('writes at most 20 frames, also of an error that is its own cause', () => {
    const frames = (count: number, name: string) =>
      `Error: x\n${Array.from({ length: count }, (_, index) => `    at ${name}${index}`).join('\n')}`;
    expect(logged(withStack(frames(21, 'a'))).stack).toHaveLength(20);
    expect(logged(withStack(frames(19, 'a'), withStack(frames(9, 'b')))).stack?.slice(-2)).toEqual(['at a18', 'at b0']);
    const own = withStack(frames(3, 'a'));
    own.cause = own;
    expect(logged(own).stack).toHaveLength(20);
  });
});
