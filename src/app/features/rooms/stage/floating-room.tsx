import { PhoneOff } from 'lucide-react';
import { useCallback } from 'react';
import { createPortal } from 'react-dom';
import { m } from '../../../core/i18n/generated/messages.js';
import styles from '../../calling/overlays/floating/floating-call.module.css';
import type { VisitState } from '../room-state.ts';
import { roomName } from '../room-words.ts';
import type { RoomVisit } from '../visit/room-visit.ts';
import { StayTimer } from './room-bar.tsx';
import { MicrophoneToggle } from './microphone-toggle.tsx';

interface FloatingRoomProps {
  host: Window;
  /** The picture of the participant on the stage, shown here without sound. */
  stream: MediaProvider | null;
  visit: RoomVisit;
  state: VisitState;
}

/** Renders the room in a separate window above all others. */
export function FloatingRoom({ host, stream, visit, state }: FloatingRoomProps) {
  const attach = useCallback(
    (video: HTMLVideoElement) => {
      video.srcObject = stream;
      return () => void (video.srcObject = null);
    },
    [stream],
  );
  return createPortal(
    <main className={styles.call}>
      <video ref={attach} autoPlay playsInline muted hidden={stream === null} />
      <p className={styles.who}>
        <strong>{state.facts === null ? '' : roomName(state.facts)}</strong>
        <StayTimer stage={state.stage} />
      </p>
      <div className={styles.controls} role="toolbar" aria-label={m.room_controls()}>
        <MicrophoneToggle visit={visit} state={state} />
        <button type="button" className={styles.end} aria-label={m.room_leave()} onClick={visit.leave}>
          <PhoneOff aria-hidden="true" />
        </button>
      </div>
    </main>,
    host.document.body,
  );
}
