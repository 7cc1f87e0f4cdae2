import { expect, it } from 'vitest';
import { EndOfTurn } from '../../../sim/turn/end-of-turn.ts';

const nextTurn = () => new Promise((resolve) => void setImmediate(resolve));

it('the work at the end of a turn runs in order, and the pace ends the turn once, after the last of it', async () => {
  const turn = new EndOfTurn();
  const order: string[] = [];
  const stop = turn.paceBy({ end: () => void order.push('pace') });
  turn.run(() => void order.push('a socket'));
  const store = async () => {
    await turn.reached();
    order.push('a write begins');
    for (let step = 0; step < 20; step += 1) await Promise.resolve();
    order.push('a commit begins');
  };
  void store();
  turn.run(() => void order.push('another socket'));
  expect(order).toEqual([]);
  await nextTurn();
  expect(order).toEqual(['a socket', 'another socket', 'a write begins', 'a commit begins', 'pace']);
  await nextTurn();
  expect(order).toHaveLength(5);
  stop();
  turn.run(() => void order.push('a third socket'));
  await nextTurn();
  expect(order.slice(5)).toEqual(['a third socket']);
});

it('work that is asked for at the end of a turn runs at the end of the next one', async () => {
  const turn = new EndOfTurn();
  const order: string[] = [];
  turn.run(() => {
    order.push('first');
    turn.run(() => void order.push('second'));
  });
  await nextTurn();
  expect(order).toEqual(['first']);
  await nextTurn();
  expect(order).toEqual(['first', 'second']);
});

it('an error of one work is uncaught, and stops no other', async () => {
  const turn = new EndOfTurn();
  const order: string[] = [];
  const listeners = process.rawListeners('uncaughtException');
  process.removeAllListeners('uncaughtException');
  const uncaught = new Promise((resolve) => process.once('uncaughtException', resolve));
  try {
    turn.run(() => {
      throw new Error('broken');
    });
    turn.run(() => void order.push('other'));
    expect(await uncaught).toEqual(new Error('broken'));
  } finally {
    for (const listener of listeners) process.on('uncaughtException', listener as never);
  }
  expect(order).toEqual(['other']);
});
