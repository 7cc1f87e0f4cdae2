import { useEffect } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { useCalls, useInvitations, usePresentVisit, useRooms } from '../../../../react/index.ts';
import { useStore } from '../../../../ui/store/use-store.ts';
import { useCalling } from '../../calling/use-calling.ts';
import { onDemand } from '../../shell/on-demand.tsx';
import { useCallMove } from '../use-call-move.ts';
import { joinCalls } from '../join-calls.ts';

const { Part: InvitationCard } = onDemand(async () => (await import('./invitation-card.tsx')).InvitationCard);
const { Part: RoomDock } = onDemand(async () => (await import('./room-dock.tsx')).RoomDock);

/** Renders what of rooms is above every screen: an invitation, and the room that the user is in. */
export function RoomOverlays() {
  const { calling } = useCalling();
  const rooms = useRooms();
  const { pathname } = useLocation();
  const present = usePresentVisit();
  const invitations = useInvitations();
  const { incoming } = useCalls();
  useEffect(() => joinCalls(calling, rooms.present), [calling, rooms]);
  useMovedCall();
  useLeaveGuard(present !== null);

  const isAt = (roomId: string): boolean => pathname === `/rooms/${encodeURIComponent(roomId)}`;
  // The page of the room shows its invitation itself.
  const waiting = invitations.filter(({ room }) => !isAt(room.roomId) && room.roomId !== present?.roomId);
  const [invitation] = waiting;
  return (
    <>
      {invitation !== undefined && incoming.length === 0 && (
        <InvitationCard key={invitation.key} invitation={invitation} more={waiting.length - 1} />
      )}
      {present !== null && !isAt(present.roomId) && <RoomDock visit={present} />}
    </>
  );
}

/** Opens the room of a call when the other user has accepted the move. */
function useMovedCall(): void {
  const move = useCallMove();
  const state = useStore(move.state);
  const navigate = useNavigate();
  useEffect(() => {
    if (state?.name !== 'going') return;
    move.arrived();
    void navigate(`/rooms/${encodeURIComponent(state.roomId)}`, { state: { enter: state.devices } });
  }, [move, navigate, state]);
}

/** Makes the browser ask before the page closes while the user is in a room. */
function useLeaveGuard(isInside: boolean): void {
  useEffect(() => {
    if (!isInside) return undefined;
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [isInside]);
}
