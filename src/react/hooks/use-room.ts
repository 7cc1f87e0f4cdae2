import { useEffect, useMemo } from 'react';
import { useRingback } from '../ringback-context.ts';
import { isStay } from '../rooms/room-state.ts';
import { type RoomVisit, createRoomVisit } from '../rooms/room-visit.ts';
import { showVisit } from '../rooms/shown-visits.ts';
import { useRooms } from './use-rooms.ts';

/**
 * Returns the visit of a room: the present one when the user is in this room, else a new one, whose room is read at
 * once. When the component unmounts, a visit in the lobby ends. A stay continues on other components, until
 * `visit.leave` or the end of the session. `useVisit` has its state.
 */
export function useRoom(roomId: string): RoomVisit {
  const { connection, library, ports, start } = useRingback();
  const rooms = useRooms();
  const visit = useMemo(() => {
    const present = rooms.present.get();
    if (present?.roomId === roomId) return present;
    return createRoomVisit(roomId, { ...ports, access: { connection, library, start }, entering: rooms.keep });
  }, [rooms, roomId, connection, library, ports, start]);

  useEffect(() => {
    if (!isStay(visit.state.get().stage)) visit.load();
    return showVisit(visit);
  }, [visit]);
  return visit;
}
