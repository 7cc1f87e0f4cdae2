import { Ellipsis, Mic, MicOff, MonitorUp, PhoneOff, UsersRound, Video, VideoOff } from 'lucide-react';
import type { ReactNode } from 'react';
import { resting } from '../../../../ui/kit/resting.ts';
import { m } from '../../../core/i18n/generated/messages.js';
import { type RoomVisit, type VisitState, hasVideo } from '../../../../react/index.ts';
import styles from './room-stage.module.css';
import { canShareScreen } from './screen-share.ts';

interface RoomControlsProps {
  visit: RoomVisit;
  state: VisitState;
  onPeople(): void;
  onMore(): void;
}

/** Renders the controls of the room. The button that leaves is last, red and wider. */
export function RoomControls({ visit, state, onPeople, onMore }: RoomControlsProps) {
  const { facts, missing, stage } = state;
  const isReady = stage.name === 'inside';
  const isVideo = facts !== null && hasVideo(facts.type);
  return (
    // A pointer press moves no focus to a button. Otherwise the space bar would press that button again in the room.
    <div
      className={styles.controls}
      role="toolbar"
      tabIndex={-1}
      aria-label={m.room_controls()}
      onMouseDown={(event) => event.preventDefault()}
    >
      <Toggle
        name={m.control_microphone()}
        on={state.microphoneOn && missing.microphone === undefined}
        disabled={!isReady || missing.microphone !== undefined}
        shortcut="M"
        icons={[<Mic key="on" />, <MicOff key="off" />]}
        onPress={visit.toggleMicrophone}
      />
      {isVideo && (
        <Toggle
          name={m.control_camera()}
          on={state.cameraOn && missing.camera === undefined}
          disabled={!isReady || missing.camera !== undefined}
          shortcut="V"
          icons={[<Video key="on" />, <VideoOff key="off" />]}
          onPress={visit.toggleCamera}
        />
      )}
      {isVideo && canShareScreen() && (
        <button
          type="button"
          className={`${styles.control} ${styles.wideOnly}`}
          aria-label={m.extra_share()}
          title={m.extra_share()}
          data-on={state.sharingScreen || undefined}
          aria-pressed={state.sharingScreen}
          {...resting(!isReady || state.busy.includes('share'), () => void visit.toggleScreenShare())}
        >
          <MonitorUp aria-hidden="true" />
        </button>
      )}
      <button
        type="button"
        className={`${styles.control} ${styles.wideOnly}`}
        aria-haspopup="dialog"
        aria-label={m.room_people()}
        title={m.room_people()}
        onClick={onPeople}
      >
        <UsersRound aria-hidden="true" />
      </button>
      <button
        type="button"
        className={styles.control}
        aria-haspopup="dialog"
        aria-label={m.call_more()}
        title={m.call_more()}
        onClick={onMore}
      >
        <Ellipsis aria-hidden="true" />
      </button>
      <button
        type="button"
        className={`${styles.control} ${styles.leave}`}
        aria-label={m.room_leave()}
        title={m.room_leave()}
        onClick={visit.leave}
      >
        <PhoneOff aria-hidden="true" />
      </button>
    </div>
  );
}

interface ToggleProps {
  name: string;
  on: boolean;
  disabled: boolean;
  shortcut: string;
  /** The icons of the states on and off. */
  icons: readonly [ReactNode, ReactNode];
  onPress(): void;
}

/** Renders a control with a constant name. The pressed state, the icon and the colour show whether it is on. */
function Toggle({ name, on, disabled, shortcut, icons, onPress }: ToggleProps) {
  return (
    <button
      type="button"
      className={styles.control}
      aria-label={name}
      aria-pressed={on}
      aria-keyshortcuts={shortcut}
      data-device
      title={m.control_state({ name, state: on ? m.control_on() : m.control_off() })}
      {...resting(disabled, onPress)}
    >
      <span aria-hidden="true">{icons[on ? 0 : 1]}</span>
    </button>
  );
}
