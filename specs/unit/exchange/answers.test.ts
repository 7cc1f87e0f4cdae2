import { describe, expect, it } from 'vitest';
import { Answers } from '../../../sim/exchange/answers.ts';

/** Answers that count how often each request had its effect. */
function counted(perDevice: number) {
  const answers = new Answers<number>(perDevice);
  const effects = new Map<string, number>();
  const ask = (device: string, requestId: string, body = '{}') =>
    answers.once(device, requestId, body, () => {
      const key = `${device} ${requestId}`;
      effects.set(key, (effects.get(key) ?? 0) + 1);
      return effects.get(key) ?? 0;
    });
  return { ask };
}

describe('kept answers', () => {
  it('I12 B66 give a request of one id and body its first answer, and another body a conflict', () => {
    const { ask } = counted(10);
    expect([ask('phone', 'r1'), ask('phone', 'r1'), ask('phone', 'r1', '[]'), ask('phone', 'r1')]).toEqual([
      1,
      1,
      'conflict',
      1,
    ]);
    expect([ask('phone', 'r2'), ask('tablet', 'r1')]).toEqual([1, 1]);
  });

  it('I12 of one device the oldest request is forgotten first', () => {
    const { ask } = counted(2);
    for (const id of ['r1', 'r2', 'r3']) ask('phone', id);
    // Asked in this order, since what is forgotten and asked again is new.
    expect([ask('phone', 'r3'), ask('phone', 'r2'), ask('phone', 'r1'), ask('phone', 'r2')]).toEqual([1, 1, 2, 2]);
  });

  it('I12 of 2,000 devices the one unused longest is forgotten first, not the one that came first', () => {
    const { ask } = counted(10);
    for (let at = 1; at <= 2_000; at += 1) ask(`device ${at}`, 'r1');
    // The first one is used again, so the second is the one unused longest.
    expect(ask('device 1', 'r1')).toBe(1);
    ask('device 2001', 'r1');
    expect([ask('device 1', 'r1'), ask('device 3', 'r1'), ask('device 2', 'r1')]).toEqual([1, 1, 2]);
  });
});
