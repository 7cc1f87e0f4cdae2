/** The short form of L10: 100,000 changed inputs, and every stored one. In a file of its own, because it computes. */
import { expect, it } from 'vitest';
import { scaled } from '../../tools/run/machine-factor.ts';
import { SOAK_RUNS } from '../soak/runs.ts';
import { performSoak } from '../soak/soak-run.ts';

const LIMIT_MS = 150_000;

it(
  'I23 S18: L10: 100,000 changed frames, requests and files are answered as specified, and the memory stays flat',
  async () => {
    const { conditions, figures } = await performSoak(await SOAK_RUNS.L10(), { isShort: true });
    expect(conditions.filter(({ ok }) => !ok)).toEqual([]);
    expect(figures.length).toBe(6);
  },
  scaled(LIMIT_MS),
);
