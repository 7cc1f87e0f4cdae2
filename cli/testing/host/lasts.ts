import type { ScenarioWorld } from '../../../sim/scenario/run/world.ts';

/**
 * Waits until a condition holds, and goes on to hold for `forMs`. Returns whether it began to within `ms`.
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
