import type { Scenario } from './tree.ts';

/** Returns whether a scenario reads the received sound or pictures, which a world measures only then. */
export const readsMedia = ({ steps }: Pick<Scenario, 'steps'>): boolean =>
  steps.some(
    (step) =>
      step.verb === 'expect' &&
      Object.keys(step.expect).some((path) => /\.(audio|video)\.\w+$|\.room\.(heard|seen)$/.test(path)),
  );
