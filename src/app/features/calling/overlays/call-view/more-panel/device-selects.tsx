import { useId } from 'react';
import type { DeviceKind, DeviceLists } from '../../../../../../react/index.ts';
import { deviceName, deviceOptionName } from '../../../../devices/device-names.ts';
import { m } from '../../../../../core/i18n/generated/messages.js';
import styles from './device-selects.module.css';

interface DeviceSelectsProps {
  lists: DeviceLists;
  withCamera: boolean;
  busy: boolean;
  onChoose(kind: DeviceKind, id: string): void;
}

/**
 * Renders the choice of microphone, speaker and camera. A kind without listed devices shows the system's device. During
 * a change the fields accept no other choice. They stay focusable, so that the user keeps the focus.
 */
export function DeviceSelects({ lists, withCamera, busy, onChoose }: DeviceSelectsProps) {
  const kinds: readonly DeviceKind[] = withCamera ? ['microphone', 'speaker', 'camera'] : ['microphone', 'speaker'];
  return (
    <fieldset className={styles.devices} aria-busy={busy}>
      <legend>{m.devices_title()}</legend>
      {kinds.map((kind) => (
        <DeviceSelect key={kind} kind={kind} list={lists[kind]} onChoose={onChoose} />
      ))}
    </fieldset>
  );
}

interface DeviceSelectProps {
  kind: DeviceKind;
  list: DeviceLists[DeviceKind];
  onChoose: DeviceSelectsProps['onChoose'];
}

function DeviceSelect({ kind, list, onChoose }: DeviceSelectProps) {
  const id = useId();
  return (
    <>
      <label htmlFor={id}>{deviceName(kind)}</label>
      <select
        id={id}
        value={list.current ?? ''}
        disabled={list.options.length === 0}
        onChange={(event) => onChoose(kind, event.target.value)}
      >
        {list.options.length === 0 && <option value="">{m.device_default()}</option>}
        {list.options.map((option, index) => (
          <option key={option.id} value={option.id}>
            {option.name || deviceOptionName(kind, index)}
          </option>
        ))}
      </select>
    </>
  );
}
