import { Coins, MicOff, MonitorUp, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import type { BillView } from '../../../call-billing.ts';
import { m } from '../../../../../core/i18n/generated/messages.js';
import { resting } from '../../../../../../ui/kit/resting.ts';
import type { CallViewModel } from '../call-view-model.ts';
import { missingText } from '../missing-text.ts';
import styles from './notices.module.css';

interface NoticesProps {
  view: CallViewModel;
  isSpeakingWhileMuted: boolean;
  /** True while the devices are being opened again. */
  isRetrying: boolean;
  /** A message that disappears after a few seconds. Null without one. */
  passing: string | null;
  bill: BillView | null;
  /** Further notices: the held calls. */
  children?: ReactNode;
  onRecharge(): void;
  onRetryDevices(): void;
  onCameraOff(): void;
  onUnmute(): void;
  onStopSharing(): void;
}

/** Shows what the user must know during the call, each notice with its action. */
export function Notices(props: NoticesProps) {
  const { view, bill, children } = props;
  const last = bill?.kind === 'pays' && bill.warning?.name === 'last' ? bill.warning : null;
  return (
    <div className={styles.notices} data-noticed={view.missing !== null || undefined}>
      {view.phase.name === 'reconnecting' && <Reconnecting secondsLeft={view.phase.secondsLeft} />}
      {children}
      {last !== null && (
        <Notice
          look="warning"
          icon={<Coins />}
          text={m.billing_last({ seconds: last.seconds })}
          action={m.billing_recharge()}
          onAction={props.onRecharge}
        />
      )}
      {view.missing !== null && (
        <Notice
          look="warning"
          icon={<TriangleAlert />}
          text={missingText(view.missing) ?? ''}
          action={props.isRetrying ? m.notice_retrying() : m.retry()}
          disabled={props.isRetrying}
          onAction={props.onRetryDevices}
        />
      )}
      {view.suggestsCameraOff && (
        <Notice
          look="warning"
          icon={<TriangleAlert />}
          text={m.quality_hint()}
          action={m.quality_hint_action()}
          onAction={props.onCameraOff}
        />
      )}
      {view.sharesScreen && (
        <Notice
          look="glass"
          icon={<MonitorUp />}
          text={m.sharing_screen()}
          action={m.sharing_stop()}
          onAction={props.onStopSharing}
        />
      )}
      {props.isSpeakingWhileMuted && (
        <Notice
          look="glass"
          icon={<MicOff />}
          text={m.muted_speaking()}
          action={m.muted_unmute()}
          onAction={props.onUnmute}
        />
      )}
      <div role="status">{props.passing !== null && <p className={styles.passing}>{props.passing}</p>}</div>
    </div>
  );
}

function Reconnecting({ secondsLeft }: { secondsLeft: number }) {
  return (
    <p className={styles.reconnecting}>
      <span className={styles.spinner} aria-hidden="true" />
      {m.call_reconnecting({ seconds: secondsLeft })}
    </p>
  );
}

interface NoticeProps {
  look: 'warning' | 'glass';
  icon: ReactNode;
  text: string;
  action: string;
  disabled?: boolean;
  onAction(): void;
}

/** Renders one line and one button. The call announcer announces the important notices to screen readers. */
function Notice({ look, icon, text, action, disabled = false, onAction }: NoticeProps) {
  return (
    <div className={styles.notice} data-look={look}>
      <span aria-hidden="true">{icon}</span>
      <span>{text}</span>
      <button type="button" {...resting(disabled, onAction)}>
        {action}
      </button>
    </div>
  );
}
