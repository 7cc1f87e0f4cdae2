import { useStore } from '../../ui/store/use-store.ts';
import type { Ringback } from '../ringback.ts';
import { useRingback } from '../ringback-context.ts';
import { type ReceivedInvitation, type Rooms, createRooms } from '../rooms/rooms.ts';
import type { VisitState } from '../rooms/room-state.ts';
import type { RoomVisit } from '../rooms/room-visit.ts';

/** The rooms of each session. They are made with the first component that needs them, to keep the first load small. */
const made = new WeakMap<Ringback, Rooms>();

/** Returns the rooms of the page. The functions stay the same, so that this hook renders no component again. */
export function useRooms(): Rooms {
  const ringback = useRingback();
  const known = made.get(ringback);
  if (known !== undefined) return known;
  const { connection, ports, received } = ringback;
  const rooms = createRooms({ connection, received, logger: ports.logger });
  made.set(ringback, rooms);
  return rooms;
}

/** Returns the invitations without an answer, oldest first. */
export function useInvitations(): readonly ReceivedInvitation[] {
  return useStore(useRooms().invitations);
}

/** Returns the visit whose room the user is in or is entering, on any screen. Null outside of rooms. */
export function usePresentVisit(): RoomVisit | null {
  return useStore(useRooms().present);
}

/** Returns the state of a visit: its stage, its participants, and the devices of this client. */
export function useVisit(visit: RoomVisit): VisitState {
  return useStore(visit.state);
}
