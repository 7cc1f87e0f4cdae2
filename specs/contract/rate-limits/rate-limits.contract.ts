/** The contract of every implementation of `RateLimits`. Each case has a new one. */
import type { NamedLimit, RateLimits } from '../../../sim/budgets/rate-limits.ts';
import { check, checkEqual, type ContractSuite, type Pass } from '../ports/contract.ts';

/** Rate limits that multiply the points of loopback addresses by 100. */
export interface RateLimitsSubject {
  readonly limits: RateLimits;
  readonly pass: Pass;
}

const byAddress: NamedLimit = { name: 'login by address', by: 'address', points: 2, seconds: 60 };
const byTarget: NamedLimit = { name: 'login by target', by: 'target', points: 2, seconds: 60 };

/** Consumes so many inputs of a key one after another, and returns the answers. */
async function consumed(limits: RateLimits, limit: NamedLimit, key: string, count: number): Promise<unknown[]> {
  const answers = [];
  for (let at = 0; at < count; at += 1) answers.push(await limits.consume(limit, key));
  return answers;
}

export const rateLimitsContract: ContractSuite<RateLimitsSubject> = [
  {
    title: 'S14: allow a key its points, refuse more, and allow them again after the window',
    async run({ limits, pass }) {
      checkEqual(await consumed(limits, byAddress, '192.0.2.1', 2), [null, null], 'two are allowed');
      await pass(20_500);
      checkEqual(await limits.consume(byAddress, '192.0.2.1'), 40, 'the wait is in whole seconds');
      await pass(39_500);
      checkEqual(await consumed(limits, byAddress, '192.0.2.1', 3), [null, null, 60], 'the next window has two');
    },
  },
  {
    title: 'S14: count each key and each limit separately',
    async run({ limits }) {
      await consumed(limits, byAddress, '192.0.2.1', 3);
      checkEqual(await limits.consume(byAddress, '192.0.2.2'), null, 'another key is allowed');
      checkEqual(await limits.consume(byTarget, '192.0.2.1'), null, 'another limit is allowed');
    },
  },
  {
    title: 'give a key one point or all points back',
    async run({ limits }) {
      checkEqual(await consumed(limits, byTarget, 'kai', 2), [null, null], 'two are allowed');
      await limits.giveBack(byTarget, 'kai');
      checkEqual(await consumed(limits, byTarget, 'kai', 2), [null, 60], 'one point was returned');
      await limits.forget(byTarget, 'kai');
      checkEqual(await consumed(limits, byTarget, 'kai', 3), [null, null, 60], 'all points were returned');
    },
  },
  {
    title: 'S14: do not count a refusal: a returned point is free for the next request',
    async run({ limits }) {
      checkEqual(await consumed(limits, byTarget, 'kai', 4), [null, null, 60, 60], 'two are refused');
      await limits.giveBack(byTarget, 'kai');
      checkEqual(await consumed(limits, byTarget, 'kai', 2), [null, 60], 'one is allowed');
    },
  },
  {
    title: 'S14: count inputs that arrive at the same time',
    async run({ limits }) {
      const answers = await Promise.all(Array.from({ length: 10 }, () => limits.consume(byTarget, 'kai')));
      checkEqual(answers.filter((seconds) => seconds === null).length, 2, 'two of ten are allowed');
    },
  },
  {
    title: 'S14: give loopback addresses a hundred times as many points',
    async run({ limits }) {
      checkEqual((await consumed(limits, byAddress, '192.0.2.1', 3))[2], 60, 'another address has its points');
      for (const address of ['127.0.0.1', '::1']) {
        const answers = await consumed(limits, byAddress, address, 201);
        checkEqual(answers.filter((seconds) => seconds !== null).length, 1, 'one of 201 is refused');
      }
      check((await consumed(limits, byTarget, '127.0.0.1', 3))[2] !== null, 'a limit by another key has its points');
    },
  },
];
