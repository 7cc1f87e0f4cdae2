import { MicOff, TriangleAlert, VideoOff } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { ActiveCall } from '../../calling/call-state.ts';
import { formatDuration } from '../../i18n/format.ts';
import { m } from '../../i18n/generated/messages.js';
import { Picture } from '../../kit/picture.tsx';
import { useFocusReturn } from '../../layers/use-focus-return.ts';
import { useServices } from '../../services/services-context.ts';
import { useStore } from '../../store/use-store.ts';
import { CallControls } from './call-controls.tsx';
import { type CallPhase, callViewModel } from './call-view-model.ts';
import styles from './call-view.module.css';
import { EndedSummary } from './ended-summary.tsx';
import { createFullscreen } from './fullscreen.ts';
import { createIdleVisibility } from './idle-visibility.ts';
import { RemoteVideo } from './remote-video.tsx';
import { missingText } from './missing-text.ts';
import { useCallKeys } from './use-call-keys.ts';

/** The call, over everything: the other side, oneself in a corner, and the controls. */
export function CallView({ call }: { call: ActiveCall }) {
  const { calling, ports, seconds } = useServices();
  const { setLocalView, setRemoteView } = calling;
  const stage = useRef<HTMLDivElement>(null);
  const [fullscreen] = useState(() => createFullscreen(document, ports.logger));
  const [controlsSeen] = useState(() => createIdleVisibility(ports.clock));
  const isFullscreen = useStore(fullscreen.isOn);
  const touchedLately = useStore(controlsSeen);
  const view = callViewModel(call, useStore(seconds), isFullscreen);
  const showsControls = touchedLately || !view.controlsMayHide;
  const hasEnded = view.phase.name === 'ended';

  useFocusReturn();
  useEffect(() => stage.current?.focus(), []);
  useCallKeys({
    controls: view.controls,
    onMicrophone: calling.toggleMicrophone,
    onCamera: calling.toggleCamera,
    onFullscreen: () => void fullscreen.toggle(),
    onEscape: hasEnded ? calling.dismissSummary : controlsSeen.touch,
  });

  return (
    <div
      ref={stage}
      role="dialog"
      aria-modal="true"
      aria-label={
        call.kind === 'video' ? m.call_label_video({ name: view.name }) : m.call_label_voice({ name: view.name })
      }
      tabIndex={-1}
      className={styles.stage}
      data-phase={view.phase.name}
      data-controls={showsControls ? 'shown' : 'hidden'}
      onPointerMove={controlsSeen.touch}
      onPointerDown={controlsSeen.touch}
      onKeyDown={controlsSeen.touch}
      onFocus={controlsSeen.touch}
    >
      <div className={styles.cover} aria-hidden="true">
        <Picture url={view.profileUrl} shape="portrait" eager />
      </div>
      {call.kind === 'video' ? (
        <>
          <RemoteVideo shown={view.showsRemoteVideo} onElement={setRemoteView} />
          {view.selfView !== 'none' && (
            <div className={styles.self} data-place={view.selfView}>
              <video
                ref={setLocalView}
                autoPlay
                playsInline
                muted
                aria-label={m.call_self_view()}
                data-mirrored={view.selfViewMirrored || undefined}
                hidden={!view.showsSelf}
              />
              {!view.showsSelf && (
                <span className={styles.selfOff}>
                  <VideoOff aria-hidden="true" />
                  <span className="visually-hidden">{m.call_self_camera_off()}</span>
                </span>
              )}
            </div>
          )}
        </>
      ) : (
        <audio ref={setRemoteView} autoPlay />
      )}
      <div className={styles.scrim} aria-hidden="true" />
      {hasEnded ? null : (
        <Header
          phase={view.phase}
          name={view.name}
          onVideo={view.showsRemoteVideo}
          notice={view.missing && missingText(view.missing)}
        />
      )}
      {!view.showsRemoteVideo && (
        <Portrait
          name={view.name}
          profileUrl={view.profileUrl}
          phase={view.phase}
          small={call.kind === 'video' && view.selfView === 'stage'}
          note={call.kind === 'video' && view.selfView === 'corner' ? m.call_remote_camera_off() : null}
        />
      )}
      {view.remoteMuted && (
        <p className={styles.muted}>
          <MicOff aria-hidden="true" size={16} />
          {m.call_remote_muted()}
        </p>
      )}
      {view.phase.name === 'ended' ? (
        <EndedSummary
          phase={view.phase}
          onRedial={() => {
            calling.dismissSummary();
            calling.dial(call.party, call.kind);
          }}
          onClose={calling.dismissSummary}
        />
      ) : (
        <CallControls
          controls={view.controls}
          onMicrophone={calling.toggleMicrophone}
          onCamera={calling.toggleCamera}
          onSwitchCamera={() => void calling.switchCamera()}
          onFullscreen={() => void fullscreen.toggle()}
          onEnd={calling.end}
        />
      )}
    </div>
  );
}

interface HeaderProps {
  phase: CallPhase;
  name: string;
  onVideo: boolean;
  /** What is missing on this side, and what to do about it. */
  notice: string | null;
}

/** Who and how long; while the connection is being mended, that, inside the picture. */
function Header({ phase, name, onVideo, notice }: HeaderProps) {
  return (
    <div className={styles.header}>
      {phase.name === 'reconnecting' && (
        <p className={styles.reconnecting}>
          <span className={styles.spinner} aria-hidden="true" />
          {m.call_reconnecting({ seconds: phase.secondsLeft })}
        </p>
      )}
      {onVideo && (
        <p className={styles.who}>
          <strong>{name}</strong>
          <Timer phase={phase} />
        </p>
      )}
      {notice !== null && (
        <p className={styles.notice}>
          <TriangleAlert aria-hidden="true" size={18} />
          {notice}
        </p>
      )}
    </div>
  );
}

interface PortraitProps {
  name: string;
  profileUrl: string;
  phase: CallPhase;
  small: boolean;
  note: string | null;
}

/** The other side while, or because, there is no picture of them. */
function Portrait({ name, profileUrl, phase, small, note }: PortraitProps) {
  return (
    <div className={styles.portrait} data-small={small || undefined}>
      <span className={styles.avatar} data-ringing={phase.name === 'outgoing' || undefined}>
        <Picture url={profileUrl} shape="round" eager />
      </span>
      <strong>{name}</strong>
      {phase.name === 'outgoing' && <p>{m.call_outgoing()}</p>}
      {phase.name === 'connecting' && <p>{m.call_connecting()}</p>}
      <Timer phase={phase} />
      {note !== null && <p>{note}</p>}
    </div>
  );
}

function Timer({ phase }: { phase: CallPhase }) {
  if (phase.name !== 'connected' && phase.name !== 'reconnecting') return null;
  return (
    <span role="timer" aria-live="off" aria-label={m.call_timer()} className={styles.timer}>
      {formatDuration(phase.seconds)}
    </span>
  );
}
