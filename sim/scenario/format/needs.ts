/** What a scenario needs of a world, as far as a world prepares it only when it is needed. */
import { isRoomAction } from './actions.ts';
import type { Scenario } from './tree.ts';

type Steps = Pick<Scenario, 'steps'>;

/** Returns whether a scenario reads the received sound or pictures. */
export const readsMedia = ({ steps }: Steps): boolean =>
  steps.some(
    (step) =>
      step.verb === 'expect' &&
      Object.keys(step.expect).some((path) => /\.(audio|video)\.\w+$|\.room\.(heard|seen)$/.test(path)),
  );

/** Returns whether a user of a scenario enters a room, or does anything else with one. */
export const hasRooms = ({ steps }: Steps): boolean =>
  steps.some((step) => step.verb === 'do' && isRoomAction(step.do.split('.').at(-1) ?? ''));
