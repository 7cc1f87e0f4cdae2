import { PhoneOff } from 'lucide-react';
import { createPortal } from 'react-dom';
import { m } from '../../../core/i18n/generated/messages.js';
import styles from '../../calling/overlays/floating/floating-call.module.css';
import { type RoomVisit, StreamVideo, type VisitState } from '../../../../react/index.ts';
import { roomName } from '../room-words.ts';
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
  return createPortal(
    <main className={styles.call}>
      <StreamVideo stream={stream} hidden={stream === null} />
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
