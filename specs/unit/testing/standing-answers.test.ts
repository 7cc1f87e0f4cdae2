import { expect, it } from 'vitest';
import { StandingAnswers } from '../../../cli/testing/host/standing-answers.ts';
import { HandClock } from '../support/hand-clock.ts';

function answering() {
  const clock = new HandClock();
  const given: string[] = [];
  const answers = new StandingAnswers(clock, (device, { id }, { how }) => given.push(`${device} ${how} ${id}`));
  const add = (how: 'accept' | 'decline', afterMs = 2_000) => answers.add('bob', { how, afterMs, parameters: {} });
  const ring = (id: string, device = 'bob') => {
    const call = { id, rings: true };
    answers.rang(device, call);
    return call;
  };
  return { clock, given, answers, add, ring };
}

it('gives each answer to one call, in their order, after its time', () => {
  const { clock, given, answers, add, ring } = answering();
  add('decline');
  add('accept');
  expect(answers.has('bob')).toBe(true);
  ring('c1');
  clock.advance(1_999);
  expect(given).toEqual([]);
  clock.advance(1);
  expect(given).toEqual(['bob decline c1']);
  ring('c2', 'carol');
  ring('c3');
  clock.advance(2_000);
  ring('c4');
  clock.advance(60_000);
  expect(given).toEqual(['bob decline c1', 'bob accept c3']);
  expect(answers.has('bob')).toBe(false);
});

it('answers the call that rings, unless it has an answer already', () => {
  const { clock, given, answers, add, ring } = answering();
  ring('c1');
  add('accept');
  expect(answers.has('bob')).toBe(true);
  add('decline');
  clock.advance(60_000);
  expect(given).toEqual(['bob accept c1']);
  ring('c2');
  clock.advance(2_000);
  expect(given).toEqual(['bob accept c1', 'bob decline c2']);
});

it('drops the answer of a call that ends first, and keeps that of the next call', () => {
  const { clock, given, answers, add, ring } = answering();
  add('accept', 30_000);
  const first = ring('c1');
  clock.advance(1_000);
  first.rings = false;
  expect(answers.has('bob')).toBe(false);
  const second = ring('c2');
  add('decline', 40_000);
  expect(answers.has('bob')).toBe(true);
  clock.advance(39_999);
  expect(given).toEqual([]);
  clock.advance(1);
  expect(given).toEqual(['bob decline c2']);
  second.rings = false;
  add('accept', 0);
  clock.advance(60_000);
  expect(given).toEqual(['bob decline c2']);
});
