import { Maximize, Mic, MicOff, Minimize, PhoneOff, SwitchCamera, Video, VideoOff } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';
import { m } from '../../../../core/i18n/generated/messages.js';
import { resting } from '../../../../../ui/kit/resting.ts';
import styles from './call-controls.module.css';
import type { CallControl } from './call-view-model.ts';

interface CallControlsProps {
  controls: readonly CallControl[];
  onMicrophone(): void;
  onCamera(): void;
  onSwitchCamera(): void;
  onFullscreen(): void;
  onEnd(): void;
}

/**
 * Renders the controls in the order of app-shell §2. The button that ends the call is last, red and wider. A disabled
 * control keeps the focus.
 */
export function CallControls(props: CallControlsProps) {
  return (
    // A pointer press moves no focus to a button. Otherwise the space bar would press that button again during the
    // call.
    <div
      className={styles.bar}
      role="toolbar"
      tabIndex={-1}
      data-fades
      aria-label={m.call_controls()}
      onMouseDown={(event) => event.preventDefault()}
    >
      {props.controls.map((control) => (
        <Control key={control.name} control={control} {...props} />
      ))}
    </div>
  );
}

function Control({
  control,
  onMicrophone,
  onCamera,
  onSwitchCamera,
  onFullscreen,
  onEnd,
}: CallControlsProps & { control: CallControl }) {
  switch (control.name) {
    case 'microphone':
      return (
        <Toggle
          name={m.control_microphone()}
          on={control.on}
          disabled={control.disabled}
          shortcut="M"
          onPress={onMicrophone}
          icon={control.on ? <Mic /> : <MicOff />}
        />
      );
    case 'camera':
      return (
        <Toggle
          name={m.control_camera()}
          on={control.on}
          disabled={control.disabled}
          shortcut="V"
          onPress={onCamera}
          icon={control.on ? <Video /> : <VideoOff />}
        />
      );
    case 'switchCamera':
      return (
        <IconControl name={m.control_switch_camera()} {...resting(control.disabled, onSwitchCamera)}>
          <SwitchCamera aria-hidden="true" />
        </IconControl>
      );
    case 'fullscreen':
      return (
        <IconControl
          name={control.on ? m.control_fullscreen_exit() : m.control_fullscreen()}
          aria-keyshortcuts="F"
          {...resting(control.disabled, onFullscreen)}
        >
          {control.on ? <Minimize aria-hidden="true" /> : <Maximize aria-hidden="true" />}
        </IconControl>
      );
    case 'end':
      return (
        <IconControl name={m.control_end()} className={`${styles.control} ${styles.end}`} onClick={onEnd}>
          <PhoneOff aria-hidden="true" />
        </IconControl>
      );
    default:
      return control satisfies never;
  }
}

/** Renders a control without a state, with its name as label and as title. */
function IconControl({ name, ...rest }: { name: string } & ComponentProps<'button'>) {
  return <button type="button" className={styles.control} aria-label={name} title={name} {...rest} />;
}

interface ToggleProps {
  name: string;
  on: boolean;
  disabled: boolean;
  shortcut: string;
  icon: ReactNode;
  onPress(): void;
}

/** Renders a control with a constant name. The pressed state, the icon and the colour show whether it is on. */
function Toggle({ name, on, disabled, shortcut, icon, onPress }: ToggleProps) {
  return (
    <button
      type="button"
      className={styles.control}
      aria-label={name}
      aria-pressed={on}
      aria-keyshortcuts={shortcut}
      title={m.control_state({ name, state: on ? m.control_on() : m.control_off() })}
      {...resting(disabled, onPress)}
    >
      <span aria-hidden="true">{icon}</span>
    </button>
  );
}
