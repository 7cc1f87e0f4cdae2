import { PhoneOff } from 'lucide-react';
import { createPortal } from 'react-dom';
import { StreamVideo } from '../../../../../react/index.ts';
import { m } from '../../../../core/i18n/generated/messages.js';
import type { CallViewModel } from '../call-view/call-view-model.ts';
import { Timer } from '../call-view/parts/timer.tsx';
import { MicrophoneButton } from '../microphone-button.tsx';
import styles from './floating-call.module.css';

interface FloatingCallProps {
  host: Window;
  view: CallViewModel;
  /** The stream of the stage, shown here without sound. */
  stream: MediaProvider | null;
  onMicrophone(): void;
  onEnd(): void;
}

/** Renders the call in a separate window above all others. */
export function FloatingCall({ host, view, stream, onMicrophone, onEnd }: FloatingCallProps) {
  return createPortal(
    <main className={styles.call}>
      <StreamVideo stream={stream} hidden={!view.showsRemoteVideo} />
      <p className={styles.who}>
        <strong>{view.name}</strong>
        <Timer phase={view.phase} />
      </p>
      <div className={styles.controls} role="toolbar" aria-label={m.call_controls()}>
        <MicrophoneButton view={view} onPress={onMicrophone} />
        <button type="button" className={styles.end} aria-label={m.control_end()} onClick={onEnd}>
          <PhoneOff aria-hidden="true" />
        </button>
      </div>
    </main>,
    host.document.body,
  );
}
