import { stagesOf } from '../../../../cli/load/arrivals.ts';
import type { LoadPlan } from '../../../../cli/load/generator.ts';
import { ONLY_COMPLETE } from '../../../../cli/load/mix.ts';

/** A plan of ten calls in a second. */
export const PLAN: LoadPlan = {
  stages: stagesOf(10, 1_000, 0),
  mix: ONLY_COMPLETE,
  media: 'none',
  holdMs: 500,
  stepLimitMs: 2_000,
  part: { at: 0, of: 1 },
};
