import { usePorts, useSession } from '../../core/hooks/areas.ts';
import type { CallingService } from '../calling/calling-service.ts';
import { useCalling } from '../calling/use-calling.ts';
import { type CallMove, createCallMove } from './move-call.ts';

/** The moves of each calling service. They are made with the first call that is shown. */
const made = new WeakMap<CallingService, CallMove>();

/** Returns the move of the call in front into a room. */
export function useCallMove(): CallMove {
  const { calling } = useCalling();
  const { logger } = usePorts();
  const { user } = useSession();
  const known = made.get(calling);
  if (known !== undefined) return known;
  const move = createCallMove({ calling, userId: () => user.user.get().uId ?? '', logger });
  made.set(calling, move);
  return move;
}
