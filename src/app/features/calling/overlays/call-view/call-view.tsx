import { useCallback, useRef } from 'react';
import { m } from '../../../../core/i18n/generated/messages.js';
import { useStore } from '../../../../../ui/store/use-store.ts';
import type { ActiveCall } from '../../../../../react/index.ts';
import mini from '../dock/mini-call.module.css';
import { MiniCall } from '../dock/mini-call.tsx';
import { useCornerDrag } from '../dock/use-corner-drag.ts';
import { FloatingCall } from '../floating/floating-call.tsx';
import type { AboutParty } from '../party-sheet.tsx';
import { VoiceAudio } from '../voice/voice-audio.tsx';
import styles from './call-view.module.css';
import { FullCall } from './full-call.tsx';
import { RemoteVideo } from './remote-video.tsx';
import { type ShownCall, useCallScreen } from './use-call-screen.ts';

interface CallViewProps {
  call: ActiveCall;
  /** The held calls. */
  held: readonly ActiveCall[];
  /** True when the app has a screen for a chat with the other user. */
  canChat: boolean;
  /** Opens a sheet about the other user, under the small call or after the call. */
  onAbout(about: AboutParty): void;
}

/**
 * Renders the call full-page, or docked to a corner while the user looks at another screen. Both forms share their
 * media elements, so that docking interrupts no playback.
 */
export function CallView({ held, ...options }: CallViewProps) {
  const root = useRef<HTMLDivElement>(null);
  const moreButton = useRef<HTMLButtonElement>(null);
  const ring = useRef<HTMLSpanElement>(null);
  const ringOf = useCallback(() => ring.current, []);
  const screen = useCallScreen({ ...options, root, moreButton });
  const { call, calling, dock, floating, isDocked, view } = screen;
  const fullAttributes = fullAttributesOf(screen);
  const dockedAttributes = useDockedAttributes(screen);

  return (
    <div
      ref={root}
      aria-label={
        call.kind === 'video' ? m.call_label_video({ name: view.name }) : m.call_label_voice({ name: view.name })
      }
      tabIndex={-1}
      data-phase={view.phase.name}
      data-hold={view.hold ?? undefined}
      {...(isDocked ? dockedAttributes : fullAttributes)}
    >
      {call.kind === 'video' ? (
        <RemoteVideo call={call.key} shown={view.showsRemoteVideo} video={screen.video} />
      ) : (
        <VoiceAudio call={call.key} ring={ringOf} />
      )}
      {floating.opened !== null && view.phase.name !== 'ended' && (
        <FloatingCall {...floating.opened} view={view} onMicrophone={calling.toggleMicrophone} onEnd={calling.end} />
      )}
      {isDocked ? (
        <MiniCall
          view={view}
          onMicrophone={calling.toggleMicrophone}
          onExpand={dock.expand}
          onMove={dock.moveOn}
          onEnd={calling.end}
        />
      ) : (
        <FullCall screen={screen} held={held} ring={ring} moreButton={moreButton} />
      )}
    </div>
  );
}

function fullAttributesOf({ isMoreOpen, touch, touchedLately, view }: ShownCall) {
  return {
    role: 'dialog',
    'aria-modal': true,
    className: styles.stage,
    'data-controls': touchedLately || isMoreOpen || !view.controlsMayHide ? 'shown' : 'hidden',
    onPointerMove: touch,
    onPointerDown: touch,
    onKeyDown: touch,
    onFocus: touch,
  } as const;
}

/** Returns the attributes of a docked call, which the user can drag to another corner. */
function useDockedAttributes({ dock, view }: ShownCall) {
  const drag = useCornerDrag(dock.moveTo);
  return {
    role: 'region',
    className: mini.mini,
    'data-corner': useStore(dock.state).corner,
    'data-picture': view.showsRemoteVideo || undefined,
    ...drag,
  } as const;
}
