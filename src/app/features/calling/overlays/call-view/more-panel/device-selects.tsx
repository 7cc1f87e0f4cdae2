import { useId } from 'react';
import type { DeviceKind, DeviceLists } from '../../../device-choice.ts';
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
 * Which microphone, speaker and camera. A kind that the browser does not list, or has none of, is told to be the system's.
 * While one is being changed no other choice is taken; the fields stay, for whoever has the focus in one.
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
