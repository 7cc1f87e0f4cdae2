import { Clipboard, Download } from 'lucide-react';
import { useState } from 'react';
import type { CallingConnection } from '../../../../react/index.ts';
import { type Findings, findOut } from '../../diagnostics/checks.ts';
import { logText } from '../../diagnostics/log-text.ts';
import { canConnect } from '../../diagnostics/loopback.ts';
import { formatNumber } from '../../../core/i18n/format.ts';
import { m } from '../../../core/i18n/generated/messages.js';
import { Button } from '../../../../ui/kit/button.tsx';
import { ListRow } from '../../../../ui/kit/list-row.tsx';
import { StatusChip } from '../../../../ui/kit/status-chip.tsx';
import { saveFile } from '../../../../ui/kit/save-file.ts';
import type { DevicePermission } from '../../../core/ports/device-permissions.ts';
import { useEvents, usePorts, useProduct } from '../../../core/hooks/areas.ts';
import { useCalling } from '../../calling/use-calling.ts';
import { useLog } from '../../diagnostics/kept-log.ts';
import { useUi } from '../../../ui/use-ui.ts';
import { copyText } from '../../../../ui/toasts/copy-text.ts';
import styles from './settings.module.css';

/** Checks what calls and chats need, and shows the log of the app for a support request. */
export function Diagnostics() {
  const log = useLog();
  const ports = usePorts();
  const { toasts } = useUi();
  const { findings, isBusy, check } = useChecks();

  /** Returns the report that the user can copy or share. */
  const report = (): string => [navigator.userAgent, JSON.stringify(findings), logText(log.lines())].join('\n');

  const copy = (): Promise<void> =>
    copyText(
      report(),
      { copied: m.settings_log_copied(), refused: m.settings_log_not_copied() },
      { toasts, logger: ports.logger },
    );

  return (
    <section aria-labelledby="settings-diagnostics">
      <h2 id="settings-diagnostics">{m.settings_diagnostics()}</h2>
      <p className={styles.hint}>{m.settings_diagnostics_hint()}</p>
      {/* Above the findings, which would otherwise push the button out of view. */}
      <Button busy={isBusy} onClick={() => void check()}>
        {findings === null ? m.settings_check() : m.settings_check_again()}
      </Button>
      <div role="status">
        {findings !== null && (
          <ul className={styles.list}>
            {rowsOf(findings).map(({ name, isGood, text }) => (
              <li key={name}>
                <ListRow title={name} end={<StatusChip tone={isGood ? 'good' : 'bad'}>{text}</StatusChip>} />
              </li>
            ))}
          </ul>
        )}
      </div>
      <p className={styles.hint}>{m.settings_log_hint()}</p>
      <div className={styles.buttons}>
        <Button onClick={() => void copy()}>
          <Clipboard aria-hidden="true" size={18} />
          {m.settings_log_copy()}
        </Button>
        <Button onClick={() => saveFile(new Blob([report()], { type: 'text/plain' }), 'ringback-log.txt')}>
          <Download aria-hidden="true" size={18} />
          {m.settings_log_save()}
        </Button>
      </div>
    </section>
  );
}

/** Returns the findings of the last check. Null before the first one. */
function useChecks() {
  const ports = usePorts();
  const { calling } = useCalling();
  const { events } = useEvents();
  const { product } = useProduct();
  const [findings, setFindings] = useState<Findings | null>(null);
  const [isBusy, setIsBusy] = useState(false);

  async function check(): Promise<void> {
    setIsBusy(true);
    setFindings(
      await findOut({
        ...ports,
        product,
        events,
        calling,
        permissions: ports.devicePermissions,
        canConnect: () => canConnect(ports.clock),
      }),
    );
    setIsBusy(false);
  }

  return { findings, isBusy, check };
}

interface Row {
  readonly name: string;
  readonly isGood: boolean;
  readonly text: string;
}

function rowsOf({ online, serverMs, live, calling, webrtc, microphone, camera }: Findings): readonly Row[] {
  const yes = (isGood: boolean): Omit<Row, 'name'> => ({
    isGood,
    text: isGood ? m.settings_is_good() : m.settings_is_bad(),
  });
  return [
    { name: m.settings_is_online(), ...yes(online) },
    {
      name: m.settings_server(),
      isGood: serverMs !== null,
      text: serverMs === null ? m.settings_is_bad() : m.stats_ms({ value: formatNumber(Math.round(serverMs)) }),
    },
    { name: m.settings_live(), ...yes(live) },
    { name: m.settings_calling(), isGood: calling === 'on', text: connectionText[calling]() },
    { name: m.settings_webrtc(), ...yes(webrtc) },
    { name: m.control_microphone(), isGood: microphone !== 'denied', text: permissionText[microphone]() },
    { name: m.control_camera(), isGood: camera !== 'denied', text: permissionText[camera]() },
  ];
}

const connectionText: Readonly<Record<CallingConnection, () => string>> = {
  off: m.settings_is_bad,
  starting: m.settings_starting,
  on: m.settings_is_good,
  failed: m.settings_is_bad,
};

const permissionText: Readonly<Record<DevicePermission, () => string>> = {
  granted: m.settings_allowed,
  prompt: m.settings_not_asked,
  denied: m.settings_denied,
  unknown: m.settings_not_told,
};
