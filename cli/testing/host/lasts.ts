import type { ScenarioWorld } from '../../../sim/scenario/run/world.ts';

/**
 * Waits for a condition that holds for `forMs` without a break. Returns whether such a span begins within `ms`.
 */
export async function lasts(
  world: Pick<ScenarioWorld, 'now' | 'until'>,
  condition: () => boolean,
  { ms, forMs }: { readonly ms: number; readonly forMs: number },
): Promise<boolean> {
  const end = world.now + ms;
  do {
    if (!(await world.until(condition, Math.max(0, end - world.now)))) return false;
    if (!(await world.until(() => !condition(), forMs))) return true;
  } while (world.now < end);
  return false;
}
