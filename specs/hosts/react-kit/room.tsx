/** A room: its lobby, with the picture of this user, and its participants. */
import {
  ParticipantVideo,
  StreamVideo,
  useDevicePreview,
  useInvitations,
  usePresentVisit,
  useRoom,
  useVisit,
} from 'ringback/react';

const CAMERA = { camera: true };

export function Room({ roomId }: { roomId: string }) {
  const visit = useRoom(roomId);
  const { stage, people } = useVisit(visit);
  const isInvited = useInvitations().some(({ room }) => room.roomId === roomId);
  const isInside = usePresentVisit() !== null;
  const preview = useDevicePreview(stage.name === 'lobby' ? CAMERA : null);
  return (
    <section aria-label="Room">
      <p role="status" aria-label="Visit">
        {stage.name === 'over' ? `over: ${stage.reason}` : stage.name}
      </p>
      {isInvited && <p>You are invited</p>}
      {stage.name === 'lobby' && (
        <>
          <StreamVideo stream={preview?.stream ?? null} aria-label="Preview" />
          <button onClick={() => void visit.enter({ microphone: true, camera: true })}>Enter</button>
        </>
      )}
      {people.map(({ participantId, userId, isMe }) => (
        <figure key={participantId}>
          <ParticipantVideo visit={visit} participantId={participantId} muted={isMe} aria-label={userId} />
        </figure>
      ))}
      {isInside && <button onClick={visit.leave}>Leave</button>}
    </section>
  );
}
