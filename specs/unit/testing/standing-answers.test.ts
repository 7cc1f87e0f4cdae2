import { expect, it } from 'vitest';
import { StandingAnswers } from '../../../cli/testing/host/standing-answers.ts';
import { HandClock } from '../support/hand-clock.ts';

function answering() {
  const clock = new HandClock();
  const given: string[] = [];
  const answers = new StandingAnswers(clock, (device, { how }) => given.push(`${device} ${how}`));
  const add = (how: 'accept' | 'decline', isRinging: boolean, afterMs = 2_000) =>
    answers.add('bob', { how, afterMs, parameters: {} }, isRinging);
  return { clock, given, answers, add };
}

it('gives each answer to one call, in their order, after its time', () => {
  const { clock, given, answers, add } = answering();
  add('decline', false);
  add('accept', false);
  expect(answers.has('bob')).toBe(true);
  answers.rang('bob');
  clock.advance(1_999);
  expect(given).toEqual([]);
  clock.advance(1);
  expect(given).toEqual(['bob decline']);
  answers.rang('carol');
  answers.rang('bob');
  clock.advance(2_000);
  answers.rang('bob');
  clock.advance(60_000);
  expect(given).toEqual(['bob decline', 'bob accept']);
  expect(answers.has('bob')).toBe(false);
});

it('answers the call that rings, unless it has an answer already', () => {
  const { clock, given, answers, add } = answering();
  add('accept', true);
  expect(answers.has('bob')).toBe(true);
  add('decline', true);
  clock.advance(60_000);
  expect(given).toEqual(['bob accept']);
  answers.rang('bob');
  clock.advance(2_000);
  expect(given).toEqual(['bob accept', 'bob decline']);
});
