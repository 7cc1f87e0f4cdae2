import { Maximize2, Move, PhoneOff, X } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { m } from '../../../../core/i18n/generated/messages.js';
import { Picture } from '../../../../ui/people/picture.tsx';
import type { CallViewModel } from '../call-view/call-view-model.ts';
import { Timer } from '../call-view/parts/timer.tsx';
import { MicrophoneButton } from '../microphone-button.tsx';
import { resultTitle } from '../call-view/result-text.ts';
import styles from './mini-call.module.css';

interface MiniCallProps {
  view: CallViewModel;
  onMicrophone(): void;
  onExpand(): void;
  onMove(): void;
  onEnd(): void;
}

/** Shows the docked call while the user looks at another screen. */
export function MiniCall({ view, onMicrophone, onExpand, onMove, onEnd }: MiniCallProps) {
  const expand = useRef<HTMLButtonElement>(null);
  const hasEnded = view.phase.name === 'ended';
  useEffect(() => expand.current?.focus({ preventScroll: true }), []);

  return (
    <>
      {!view.showsRemoteVideo && (
        <span className={styles.avatar}>
          <Picture url={view.profileUrl} shape="round" eager />
        </span>
      )}
      <div className={styles.words}>
        <strong>{view.name}</strong>
        <span>
          <Status view={view} />
        </span>
      </div>
      <div className={styles.controls} role="toolbar" aria-label={m.call_controls()}>
        <MicrophoneButton view={view} onPress={onMicrophone} />
        <button ref={expand} type="button" aria-label={m.mini_expand()} title={m.mini_expand()} onClick={onExpand}>
          <Maximize2 aria-hidden="true" />
        </button>
        <button type="button" aria-label={m.mini_move()} title={m.mini_move()} onClick={onMove}>
          <Move aria-hidden="true" />
        </button>
        {hasEnded ? (
          <button type="button" aria-label={m.ended_close()} onClick={onEnd}>
            <X aria-hidden="true" />
          </button>
        ) : (
          <button type="button" className={styles.end} aria-label={m.control_end()} onClick={onEnd}>
            <PhoneOff aria-hidden="true" />
          </button>
        )}
      </div>
    </>
  );
}

function Status({ view: { phase, hold } }: Pick<MiniCallProps, 'view'>) {
  switch (phase.name) {
    case 'outgoing':
      return m.call_outgoing();
    case 'connecting':
      return m.call_connecting();
    case 'reconnecting':
      return m.call_reconnecting({ seconds: phase.secondsLeft });
    case 'ended':
      return resultTitle(phase.result, phase.byCaller);
    case 'connected':
      return hold === null ? <Timer phase={phase} /> : m.hold_title();
    default:
      return phase satisfies never;
  }
}
