import type { ReactNode } from 'react';
import type { DeviceKind, DeviceLists } from '../../../react/index.ts';
import { m } from '../../core/i18n/generated/messages.js';
import { SelectField } from '../../../ui/kit/select-field.tsx';
import styles from './device-check.module.css';
import { deviceName, deviceOptionName } from './device-names.ts';

interface DeviceFieldsProps {
  lists: DeviceLists;
  camera: boolean;
  onChoose(kind: DeviceKind, id: string): void;
  /** The element beside the choice of the speaker. */
  speakerTest: ReactNode;
}

/** Renders the choice of camera, microphone and speaker. A kind without listed devices shows the system's device. */
export function DeviceFields({ lists, camera, onChoose, speakerTest }: DeviceFieldsProps) {
  const kinds: readonly DeviceKind[] = camera ? ['camera', 'microphone', 'speaker'] : ['microphone', 'speaker'];
  return (
    <div className={styles.fields}>
      {kinds.map((kind) => {
        const { options, current } = lists[kind];
        const field = (
          <SelectField
            prompt={m.field_choose()}
            key={kind}
            label={deviceName(kind)}
            hint={options.length === 0 ? m.device_default() : undefined}
            options={options.map(({ id, name }, place) => ({ value: id, text: name || deviceOptionName(kind, place) }))}
            value={current ?? ''}
            disabled={options.length === 0}
            onChange={(id) => onChoose(kind, id)}
          />
        );
        if (kind !== 'speaker') return field;
        return (
          <div key={kind} className={styles.speaker}>
            {field}
            {speakerTest}
          </div>
        );
      })}
    </div>
  );
}
