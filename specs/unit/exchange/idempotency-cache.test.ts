import { describe, expect, it } from 'vitest';
import { digestOf } from '../../../sim/exchange/delivery/digest.ts';
import { HandClock } from '../support/hand-clock.ts';
import {
  type AnswerBounds,
  DEVICE_CHARS,
  IdempotencyCache,
  type Made,
} from '../../../sim/exchange/delivery/idempotency-cache.ts';
import { CHARS_OF_CHARACTER, ENTRY_CHARS, TEXT_CHARS } from '../../../sim/exchange/delivery/kept-answers.ts';
import { DEFAULT_SETTINGS } from '../../../sim/exchange/settings.ts';

type Keeps = Made<number>['keeps'];
/** The characters for which an answer with a text of this length counts. */
const charsOf = (length: number) => ENTRY_CHARS + TEXT_CHARS + CHARS_OF_CHARACTER * length;
/** The answer that is made from its request. */
const AGAIN = -1;

/** Answers that count how often each request ran. */
function counted(perDevice: number, bounds: Partial<AnswerBounds> = {}) {
  const chars = { answerCharsPerDevice: 1_000_000, answerChars: 1_000_000 };
  const clock = new HandClock();
  const answers = new IdempotencyCache<number>(
    { answersPerDevice: perDevice, ...chars, answerMs: 1_000, ...bounds },
    clock,
  );
  const effects = new Map<string, number>();
  const ask = (device: string, requestId: string, body = '{}', keeps: Keeps = 'answer'): number | 'conflict' => {
    const make = (): Made<number> => {
      const key = `${device} ${requestId}`;
      effects.set(key, (effects.get(key) ?? 0) + 1);
      return { answer: effects.get(key) ?? 0, keeps };
    };
    const answer = answers.once(device, requestId, digestOf(body), make, () => AGAIN);
    if (answer instanceof Promise) throw new Error('the answer is late');
    return answer;
  };
  return { ask, answers, clock };
}

describe('stored answers', () => {
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

  it('I12 B66 let a repeated request wait for a pending answer, and run it when that answer is not stored', async () => {
    const bounds = { answersPerDevice: 10, answerCharsPerDevice: 1_000, answerChars: 100_000, answerMs: 1_000 };
    const answers = new IdempotencyCache<number>(bounds, new HandClock());
    let made = 0;
    let keeps: Keeps = 'nothing';
    const ask = (body = '{}') =>
      answers.once(
        'phone',
        'r1',
        digestOf(body),
        () => Promise.resolve({ answer: (made += 1), keeps }),
        () => AGAIN,
      );
    const [first, second, other] = [ask(), ask(), ask('[]')];
    expect([await first, await second, other]).toEqual([1, 1, 'conflict']);
    keeps = 'answer';
    expect([await ask('[]'), await ask('[]'), ask()]).toEqual([2, 2, 'conflict']);
    expect(answers.has('phone', 'r1')).toBe(true);
  });

  it('I12 of one device are limited: the oldest request is dropped first', () => {
    const { ask } = counted(2);
    for (const id of ['r1', 'r2', 'r3']) ask('phone', id);
    // In this order, since a dropped request that comes again is new.
    expect([ask('phone', 'r3'), ask('phone', 'r2'), ask('phone', 'r1'), ask('phone', 'r2')]).toEqual([1, 1, 2, 2]);
  });

  it('I12 of more than 2,000 devices are kept, and answers to their next requests too', () => {
    const { ask, answers } = counted(10, DEFAULT_SETTINGS);
    const devices = Array.from({ length: 10_000 }, (_, at) => `device ${at}`);
    for (const id of ['r1', 'r2']) for (const device of devices) ask(device, id, '{}', 'request');
    expect(devices.filter((device) => !answers.has(device, 'r1') || !answers.has(device, 'r2'))).toEqual([]);
  });

  it('I22 S14 are stored by a digest of the body, so the entry of a body of a mebibyte is as small', () => {
    const { ask } = counted(10, { answerCharsPerDevice: charsOf(1) });
    const body = 'A'.repeat(1_048_576);
    expect([ask('phone', 'r1', body), ask('phone', 'r1', body), ask('phone', 'r1', `${body}B`)]).toEqual([
      1,
      1,
      'conflict',
    ]);
  });

  it('I22 S14 of one device have a limit of characters: the oldest request is dropped first', () => {
    const { ask } = counted(10, { answerCharsPerDevice: 2 * charsOf(1) });
    for (const id of ['r1', 'r2', 'r3']) ask('phone', id);
    expect([ask('phone', 'r3'), ask('phone', 'r2'), ask('phone', 'r1')]).toEqual([1, 1, 2]);
  });

  it('I22 S14 of all devices have a limit of characters: the least recently used device is dropped first', () => {
    const { ask } = counted(10, { answerChars: 2 * (DEVICE_CHARS + charsOf(1)) });
    for (const device of ['one', 'two']) ask(device, 'r1');
    expect([ask('one', 'r1'), ask('three', 'r1')]).toEqual([1, 1]);
    expect([ask('three', 'r1'), ask('one', 'r1'), ask('two', 'r1')]).toEqual([1, 1, 2]);
    // A dropped answer takes no space: two devices fit as before.
    expect([ask('two', 'r1'), ask('one', 'r1'), ask('three', 'r1')]).toEqual([2, 1, 2]);
  });

  it('I22 S14 of all devices count each answer that is kept, and none that was dropped', () => {
    const { ask, answers } = counted(2, { answerChars: 2 * DEVICE_CHARS + 3 * charsOf(1) });
    for (const id of ['r1', 'r2', 'r3', 'r4']) ask('one', id);
    ask('two', 'r1');
    expect([answers.has('one', 'r4'), answers.has('two', 'r1')]).toEqual([true, true]);
    ask('two', 'r2');
    expect([answers.has('one', 'r4'), answers.has('two', 'r1')]).toEqual([false, true]);
  });

  it('I12 of a request without an effect are not stored', () => {
    const { ask } = counted(10);
    expect([ask('phone', 'r1', '{}', 'nothing'), ask('phone', 'r1', '[]', 'nothing'), ask('phone', 'r1')]).toEqual([
      1, 2, 3,
    ]);
  });

  it('I12 B66 are made from a request of which only the digest was kept, and another body is a conflict', () => {
    const { ask } = counted(10);
    const asked = ['{}', '{}', '[]', '{}'].map((body) => ask('phone', 'r1', body, 'request'));
    expect(asked).toEqual([1, AGAIN, 'conflict', AGAIN]);
  });

  it('I22 S14 of which only the digest was kept count too', () => {
    const { ask, answers } = counted(10, { answerCharsPerDevice: 2 * ENTRY_CHARS });
    for (const id of ['r1', 'r2', 'r3']) ask('phone', id, '{}', 'request');
    expect(['r1', 'r2', 'r3'].map((id) => answers.has('phone', id))).toEqual([false, true, true]);
  });

  it('I22 S14 count once when an answer is restored while the same request is answered', async () => {
    // Each answer has ten characters of JSON.
    const answerCharsPerDevice = 3 * charsOf(10);
    const bounds = { answersPerDevice: 10, answerCharsPerDevice, answerChars: 100_000, answerMs: 1_000 };
    const answers = new IdempotencyCache<string>(bounds, new HandClock());
    const ask = (id: string, answer: string | Promise<string>) =>
      answers.once(
        'phone',
        id,
        1,
        () =>
          typeof answer === 'string'
            ? { answer, keeps: 'answer' }
            : answer.then((late) => ({ answer: late, keeps: 'answer' })),
        () => '',
      );
    const late = ask('r1', Promise.resolve('12345678'));
    answers.restore('phone', 'r1', '12345678');
    await late;
    for (const id of ['r2', 'r3']) void ask(id, '12345678');
    expect(['r1', 'r2', 'r3'].map((id) => answers.has('phone', id))).toEqual([true, true, true]);
    void ask('r4', '12345678');
    expect(['r1', 'r2', 'r3', 'r4'].map((id) => answers.has('phone', id))).toEqual([false, true, true, true]);
  });

  it('I12 I22 are kept for at least the time, and at most for twice the time while their device sends requests', () => {
    const { ask, answers, clock } = counted(10);
    const kept = () => ['r0', 'r1', 'r2', 'r3'].filter((id) => answers.has('phone', id));
    ask('phone', 'r0');
    clock.advance(999);
    ask('phone', 'r1');
    clock.advance(1);
    ask('phone', 'r2');
    clock.advance(999);
    ask('phone', 'r3');
    expect(kept()).toEqual(['r0', 'r1', 'r2', 'r3']);
    clock.advance(1);
    ask('phone', 'r4');
    expect(kept()).toEqual(['r3']);
    clock.advance(999);
    expect([ask('phone', 'r3'), kept()]).toEqual([1, ['r3']]);
  });

  it('I12 I22 are not dropped early when others of their device were dropped', () => {
    const { ask, answers, clock } = counted(3);
    /** Lets the time pass without a pause of the device. */
    const pass = (known: string) => {
      clock.advance(500);
      expect(ask('phone', known)).toBe(1);
      clock.advance(500);
    };
    for (const id of ['r0', 'r1']) ask('phone', id);
    pass('r1');
    ask('phone', 'r2');
    // The look has seen three. Two of them make room for these.
    for (const id of ['r3', 'r4']) ask('phone', id);
    pass('r4');
    ask('phone', 'r5');
    expect(['r2', 'r3', 'r4', 'r5'].map((id) => answers.has('phone', id))).toEqual([false, true, true, true]);
  });

  it('I12 I22 are kept for less than four times the time at any rhythm, and not after a pause of the time', () => {
    const { ask, answers, clock } = counted(10);
    const kept = () => ['r0', 'r1', 'r2', 'r3', 'r4'].filter((id) => answers.has('phone', id));
    for (const id of ['r0', 'r1', 'r2', 'r3', 'r4']) {
      ask('phone', id);
      if (id !== 'r4') clock.advance(999);
    }
    expect(kept()).toEqual(['r3', 'r4']);
    clock.advance(1);
    // The last look has not seen this one.
    ask('phone', 'r5');
    clock.advance(1_000);
    ask('phone', 'r6');
    expect([kept(), ['r5', 'r6'].map((id) => answers.has('phone', id))]).toEqual([[], [false, true]]);
  });

  it('I22 of a device without requests for the time are dropped at the request of another', () => {
    const answerChars = 2 * DEVICE_CHARS + 4 * charsOf(1);
    const { ask, answers, clock } = counted(10, { answerChars });
    ask('phone', 'r1');
    ask('tablet', 'r1');
    clock.advance(500);
    // A repeated request keeps the answers of its device.
    ask('phone', 'r1');
    clock.advance(500);
    ask('desk', 'r1');
    expect(['phone', 'tablet', 'desk'].map((device) => answers.has(device, 'r1'))).toEqual([true, false, true]);
    // What was dropped takes no room.
    ask('desk', 'r2');
    ask('desk', 'r3');
    expect(['phone', 'desk'].map((device) => answers.has(device, 'r1'))).toEqual([true, true]);
  });

  it('I22 of devices without requests for the time are dropped 100 devices at a request', () => {
    const { ask, answers, clock } = counted(10);
    const devices = Array.from({ length: 150 }, (_, at) => `device ${at}`);
    for (const device of devices) ask(device, 'r1');
    clock.advance(1_000);
    const left = () => devices.filter((device) => answers.has(device, 'r1')).length;
    const after = ['r1', 'r2', 'r3'].map((id) => {
      ask('phone', id);
      return left();
    });
    expect(after).toEqual([50, 0, 0]);
  });

  it('B66 restored for a request of the previous exchange match any body', () => {
    const { ask, answers } = counted(10);
    answers.restore('phone', 'r1', 7);
    expect([ask('phone', 'r1'), ask('phone', 'r1', '[]')]).toEqual([7, 7]);
  });
});
