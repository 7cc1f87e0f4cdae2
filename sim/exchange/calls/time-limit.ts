import type { Timer } from '../../../src/common/clock.ts';
import type { Call } from './call.ts';
import { endUnasked, type EndNeeds } from './end-call.ts';
import type { Ending } from './outcomes.ts';

/** The delay before a node asks again whether it owns a call, milliseconds. */
const AGAIN_MS = 5_000;

/** Starts the time limit of the present state of a call: the call ends after `ms` milliseconds in this state. */
export function startLimit(core: EndNeeds, call: () => Call, ms: number, ending: Ending): Timer {
  return core.clock.after(ms, () => {
    const due = call();
    const { state } = due;
    if (state.name !== 'ringing' && state.name !== 'accepted') return;
    endUnasked(core, due, ending, {
      isDue: () => due.state === state,
      again: () => {
        due.state = { ...state, limit: startLimit(core, call, AGAIN_MS, ending) };
      },
    });
  });
}
