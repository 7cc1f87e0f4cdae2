import { X } from 'lucide-react';
import { useEffect, useRef } from 'react';
import type { CallQuality, DeviceKind, DeviceLists } from '../../../../../../react/index.ts';
import { m } from '../../../../../core/i18n/generated/messages.js';
import type { CallExtra, CallViewModel } from '../call-view-model.ts';
import { extraFace } from '../parts/extra-face.tsx';
import { CallStatistics } from './call-statistics.tsx';
import { DeviceSelects } from './device-selects.tsx';
import styles from './more-panel.module.css';

interface MorePanelProps {
  view: CallViewModel;
  devices: DeviceLists;
  areDevicesBusy: boolean;
  quality: CallQuality | null;
  onExtra(name: CallExtra['name']): void;
  onDevice(kind: DeviceKind, id: string): void;
  onClose(): void;
}

/**
 * Shows the actions of a call that are not among its controls. The call continues behind it. Escape closes it and ends
 * no call.
 */
export function MorePanel({ view, devices, areDevicesBusy, quality, onExtra, onDevice, onClose }: MorePanelProps) {
  const panel = useRef<HTMLDivElement>(null);
  useEffect(() => panel.current?.focus({ preventScroll: true }), []);

  return (
    <>
      {/* Closes the panel by pointer. Keyboard users have Escape and the close button. */}
      <div className={styles.outside} onClick={onClose} aria-hidden="true" />
      <div ref={panel} role="dialog" aria-label={m.call_more()} tabIndex={-1} className={styles.panel} data-over-call>
        <div className={styles.head}>
          <h2>{m.call_more()}</h2>
          <button type="button" aria-label={m.dismiss()} onClick={onClose}>
            <X aria-hidden="true" size={20} />
          </button>
        </div>
        {view.extras.length > 0 && (
          <div className={styles.extras}>
            {view.extras.map((extra) => (
              <Extra key={extra.name} extra={extra} onPress={() => onExtra(extra.name)} />
            ))}
          </div>
        )}
        <DeviceSelects lists={devices} withCamera={view.kind === 'video'} busy={areDevicesBusy} onChoose={onDevice} />
        <CallStatistics quality={quality} />
      </div>
    </>
  );
}

function Extra({ extra, onPress }: { extra: CallExtra; onPress(): void }) {
  const { text, icon } = extraFace(extra);
  return (
    <button
      type="button"
      disabled={extra.disabled}
      data-extra={extra.name}
      data-on={extra.on || undefined}
      onClick={onPress}
    >
      <span aria-hidden="true">{icon}</span>
      {text}
    </button>
  );
}
