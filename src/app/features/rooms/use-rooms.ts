import { usePorts } from '../../core/hooks/areas.ts';
import type { CallingService } from '../calling/calling-service.ts';
import { useCalling } from '../calling/use-calling.ts';
import { type RoomsService, createRoomsService } from './rooms-service.ts';

/** The rooms of each calling service. They are made with the first screen that needs them, to keep the first load small. */
const made = new WeakMap<CallingService, RoomsService>();

/** Returns the rooms of the page. */
export function useRooms(): RoomsService {
  const { calling } = useCalling();
  const { logger } = usePorts();
  const known = made.get(calling);
  if (known !== undefined) return known;
  const rooms = createRoomsService({ calling, logger });
  made.set(calling, rooms);
  return rooms;
}
